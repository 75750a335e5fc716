/** Files and folders that a server runs without: they build, test or draw, mostly with packages of developers. */
const LEFT_OUT = [
  '.ci/',
  '.gitignore',
  'bench/',
  'clients/',
  'tests/',
  'biome.json',
  'playwright.config.ts',
  'tsconfig.json',
  'vite.config.ts',
  'vitest.config.ts',
  'src/client/',
  'scripts/api-document/',
  'scripts/caller.ts',
  'scripts/clients',
  'scripts/dashboard-modules.ts',
  'scripts/dev',
  'scripts/landing-pictures.ts',
  'scripts/legibility-table.ts',
  'scripts/limits-table.ts',
  'scripts/make-upgrade-fixture.ts',
  'scripts/mutants',
  'scripts/reference.ts',
  'scripts/release',
  'scripts/test',
]

/** The files of a release, out of all that are in the repository. */
export const releaseFiles = (tracked: string[]): string[] =>
  tracked.filter((file) => !LEFT_OUT.some((part) => file.startsWith(part)))
