import { describe, expect, it } from 'vitest'
import { neededBuild, type Selection, selected } from '../../../scripts/test/selection.ts'

const all: Selection = {
  unit: ['tests/unit/qr/pdf.test.ts', 'tests/unit/client/code-list.test.ts'],
  api: ['tests/api/code-list.test.ts', 'tests/api/pages.test.ts'],
  browser: ['tests/e2e/code-list.spec.ts'],
}
const long: Selection = {
  unit: [],
  api: ['tests/api/demo.soak.test.ts'],
  browser: ['tests/e2e/touch.soak.spec.ts'],
}

describe('a run of the tests', () => {
  it('is about all files without a pattern', () => {
    expect(selected(all, [])).toEqual(all)
  })

  it('leaves the long files to a soak', () => {
    expect(Object.values(selected(long, [])).flat()).toEqual([])
    expect(selected(long, [], true)).toEqual(long)
  })

  it.each([
    [['code-list'], [all.unit[1], all.api[0], all.browser[0]]],
    [['unit/client'], [all.unit[1]]],
    [
      ['pdf', 'api/pages'],
      [all.unit[0], all.api[1]],
    ],
    [['nothing'], []],
  ])('is about the files with one of %j in their path', (patterns, files) => {
    expect(Object.values(selected(all, patterns)).flat()).toEqual(files)
  })

  it.each([
    [['pdf'], 'none'],
    [['api/code-list'], 'if missing'],
    [['api/pages'], 'if stale'],
    [['e2e/'], 'if stale'],
    [[], 'if stale'],
  ])('about files with one of %j in their path builds the pages %s', (patterns, build) => {
    expect(neededBuild(selected(all, patterns))).toBe(build)
  })
})
