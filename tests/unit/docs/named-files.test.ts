import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')
const files = tracked.filter((file) => file && existsSync(file))
const pages = files.filter((file) => file.endsWith('.md'))

/** The files and folders of the project that a page names: by path, by its end, or by name alone. */
function namedIn(page: string): string[] {
  const text = readFileSync(page, 'utf8')
  return [...text.matchAll(/`([\w./-]+(?:\.(?:tsx?|css|json|svg)|\/))`/g)].map(
    ([, name = '']) => name,
  )
}

const isThere = (name: string) =>
  files.some((file) => `/${file}`.endsWith(`/${name}`)) ||
  (name.endsWith('/') && files.some((file) => `/${file}`.includes(`/${name}`)))

test.each(pages)('every file that %s names is there', (page) => {
  expect(namedIn(page).filter((name) => !isThere(name))).toEqual([])
})

test('the pages name files', () => {
  expect(pages.flatMap(namedIn).length).toBeGreaterThan(50)
  expect(isThere('codes/no-such-file.ts')).toBe(false)
})
