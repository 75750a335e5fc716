import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const IMPORT = /import \{([^}]*)\} from '@mantine\/core'/g

function componentsIn(file: string): string[] {
  const imports = readFileSync(root + file, 'utf8').matchAll(IMPORT)
  return [...imports].flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
}

const used = new Set(globSync('src/client/**/*.{ts,tsx}', { cwd: root }).flatMap(componentsIn))
const imported = readFileSync(`${root}src/client/ui/theme/mantine.css`, 'utf8')

it('imports the styles of every Mantine component that the client uses', () => {
  const missing = [...used]
    .filter((name) => existsSync(`${root}node_modules/@mantine/core/styles/${name}.css`))
    .filter((name) => !imported.includes(`/${name}.css`))
  expect(missing).toEqual([])
})
