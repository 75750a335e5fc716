import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { releaseFiles } from '../../../scripts/release/release-files.ts'

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')
const files = releaseFiles(tracked.filter((file) => file && existsSync(file)))
const { dependencies, scripts } = JSON.parse(readFileSync('package.json', 'utf8'))

/** The files and packages that a program imports, without types. Scripts import later only for a build, and a release does not build. */
function importsOf(program: string): string[] {
  const text = readFileSync(program, 'utf8')
  const first = /^(?:import|export)(?! type\b)[^;'"]*?from '([^']+)'/gm
  const later = program.startsWith('src/') ? /\bimport\('([^']+)'\)/g : /$^/g
  return [...text.matchAll(first), ...text.matchAll(later)].map(([, name = '']) => name)
}

function isThere(name: string, program: string): boolean {
  if (name.startsWith('node:')) return true
  if (name.startsWith('#')) return files.includes(name.replace('#', 'src/'))
  if (name.startsWith('.')) return files.includes(join(dirname(program), name))
  const [scope = '', rest] = name.split('/')
  return (name.startsWith('@') ? `${scope}/${rest}` : scope) in dependencies
}

test('a release has each file and package that its programs import', () => {
  const programs = files.filter((file) => file.endsWith('.ts'))
  const missing = programs.flatMap((program) =>
    importsOf(program)
      .filter((name) => !isThere(name, program))
      .map((name) => `${program}: ${name}`),
  )
  expect(missing).toEqual([])
  expect(programs.flatMap(importsOf).length).toBeGreaterThan(1_000)
})

test('a release has the operators’ commands, and no tests', () => {
  const commands = ['start', 'demo', 'rebuild-rollups', 'reclassify', 'stripe:setup', 'mail:test']
  for (const command of [...commands, 'second-step:off']) {
    const [, script] = /(scripts\/\S+\.ts)/.exec(scripts[command]) ?? []
    expect(files).toContain(script)
  }
  expect(files).toEqual(expect.arrayContaining(['CHANGELOG.md', 'LICENSE', '.env.example']))
  expect(files.filter((file) => /^(tests|bench|src\/client)\//.test(file))).toEqual([])
})
