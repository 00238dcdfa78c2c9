import type { HttpAdapterOptions, OptionIssue } from './options';

/** Validates the options `users` and `source`, which replace password files. */
export function sourceIssues(options: HttpAdapterOptions): readonly OptionIssue[] {
  const { users, source, accept_schemes: schemes } = options;
  const option = users !== undefined ? 'users' : source !== undefined ? 'source' : undefined;
  if (option === undefined) return [];
  const advices: string[] = [];
  if (users !== undefined && source !== undefined)
    advices.push('both users and source are set, and an adapter has one source of users; remove one of them');
  for (const file of ['htpasswd', 'htdigest'] as const)
    if (options[file] !== undefined)
      advices.push(`${option} replaces password files, but ${file} is set as well; remove one of them`);
  if (users?.groups !== undefined && options.htgroup !== undefined)
    advices.push('users.groups and htgroup both define the groups; remove one of them');
  if (users !== undefined && schemes.includes('basic') && users.hash === undefined)
    advices.push('users.hash is missing; set the column of the password hashes, which Basic requires');
  if (users !== undefined && schemes.includes('digest') && users.ha1 === undefined)
    advices.push(
      'users.ha1 is missing; set the columns of the Digest secrets by algorithm, which Digest requires, such as { "SHA-256": "ha1_sha256" }',
    );
  return advices.map((advice) => ({ option, message: advice, advice }));
}
