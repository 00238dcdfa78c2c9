// Who issues the tokens, and for which service.

export const issuer = 'https://issuer.example';
export const audience = 'bench';
