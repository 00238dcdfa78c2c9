// The primes from which the constants of SHA-2 are derived (FIPS 180-4, 4.2).

const isPrime = (number) => {
  for (let by = 2; by * by <= number; by++) if (number % by === 0) return false;
  return true;
};

/** The first 80 primes. */
export const PRIMES = Array.from({ length: 408 }, (_, at) => at + 2).filter(isPrime);
