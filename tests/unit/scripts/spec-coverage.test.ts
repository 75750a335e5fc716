import { describe, expect, test } from 'vitest'
import { readCoverage } from '../../../scripts/spec-coverage/coverage.ts'
import { faultsOf } from '../../../scripts/spec-coverage/faults.ts'
import { quotedIn, readSpecification } from '../../../scripts/spec-coverage/specification.ts'
import { testText } from '../../../scripts/spec-coverage/test-text.ts'

const specification = `# A shop

## 2. Screens

### Counter
- Title 'The counter'.
- Renews on a day: 'Renews on {date}'. The owner's name is shown.

| Path | Shows |
|---|---|
| /till | the till |

## 9. Constants

- Colour #12ab34. A toast stays 5000 ms.
`

const coverage = `# Coverage

## 2. Screens

| Sentence | Tests |
|---|---|
| Title 'The counter'. | \`shop.spec.ts › the counter has a title\` |
| Renews on a day: 'Renews on {date}'. | \`shop.spec.ts › a day\` |
| /till \\| the till | \`shop.spec.ts › a day\` |

## 9. Constants

| Sentence | Tests |
|---|---|
| Colour #12ab34. A toast stays 5000 ms. | \`shop.spec.ts › it has \${number} figures\` |

## Not built yet

| Section | Sentence | Waits for |
|---|---|---|
| 2 | The owner's name is shown. | issue 1 |
`

const tests = `
const TITLE = 'The counter'

test('the counter has a title', async () => {
  // Not 'Renews on'.
  expect(title).toBe(TITLE)
})

test.each([
  ['Renews on Monday'],
])('a day', async (day) => {
  expect(text).toBe(day)
})

for (const number of [1, 2]) {
  test(\`it has \${number} figures\`, async () => {
    expect(colour).toBe('#12ab34')
    advance(5_000)
  })
}
`

type Given = { spec?: string; rows?: string; source?: string; product?: string[] }

const check = ({ spec = specification, rows = coverage, source = tests, product = [] }: Given) =>
  faultsOf({
    specification: readSpecification(spec),
    rows: readCoverage(rows),
    testFile: (path) => (path === 'shop.spec.ts' ? source : undefined),
    product,
  })

describe('the check of the coverage', () => {
  test('finds nothing where all is well', () => {
    expect(check({})).toEqual([])
  })

  test('names a sentence, and a text in it, that no row has', () => {
    const spec = specification.replace("'The counter'.", "'The counter'. Below it 'Open all day'.")
    expect(check({ spec })).toEqual([
      "section 2: no row has “Below it 'Open all day'.”",
      "section 2: no row has 'Open all day'",
    ])
  })

  test('names a row whose sentence the specification has not', () => {
    const spec = specification.replace("'The counter'", "'The bar'")
    expect(check({ spec })).toContain(
      "section 2, “Title 'The counter'.”: is not in the specification any more",
    )
  })

  test.each([
    ['in no file', coverage.replace('shop.spec.ts › a day', 'bar.spec.ts › a day'), 'bar.spec.ts'],
    ['under no such title', coverage.replace('› a day', '› a night'), 'there is no test “a night”'],
    ['not named', coverage.replace('`shop.spec.ts › a day`', 'later'), 'names no test'],
  ])('names a row whose test is %s', (_what, rows, fault) => {
    expect(check({ rows })).toEqual([expect.stringContaining(fault)])
  })

  test.each([
    ['a text', tests.replace("= 'The counter'", "= 'The bar'"), 'The counter'],
    [
      'the fixed part of a text',
      tests.replace('Renews on Monday', 'Renewed at last'),
      'Renews on {date}',
    ],
    [
      'a text as a word of its own',
      tests.replace('Renews on Monday', 'Prenews on Monday'),
      'Renews on {date}',
    ],
    ['a colour', tests.replace('#12ab34', '#12ab35'), '#12ab34'],
    ['a number', tests.replace('5_000', '15_000'), '5000'],
  ])('names a row none of whose tests has %s', (_what, source, named) => {
    expect(check({ source })).toEqual([expect.stringContaining(`none of its tests has '${named}'`)])
  })

  test('takes neither a title nor a comment for an assertion', () => {
    const source = tests.replace('the counter has', 'Renews on').replace('Renews on Monday', 'Soon')
    const rows = coverage.replace('the counter has', 'Renews on')
    expect(check({ rows, source })).toEqual([
      expect.stringContaining("none of its tests has 'Renews on {date}'"),
    ])
  })

  test('names a text that was not built yet and is in the product', () => {
    const spec = specification.replace("The owner's name", "'Pay {sum} now'")
    const rows = coverage.replace("The owner's name", "'Pay {sum} now'")
    expect(check({ spec, rows, product: ['<b>Pay in cash</b>'] })).toEqual([])
    expect(check({ spec, rows, product: ['<b>\n  Pay {price(sum)} now</b>'] })).toEqual([
      expect.stringContaining("'Pay {sum} now' is built by now"),
    ])
  })
})

test('an apostrophe inside a word neither opens nor closes a quotation', () => {
  expect(quotedIn("The user's tier: '⚠️ You're near the limit.' or 'N/A' ('/' too)")).toEqual([
    "⚠️ You're near the limit.",
    'N/A',
    '/',
  ])
})

describe('the text of a test', () => {
  test('ends where the next one begins', () => {
    expect(testText(tests, 'the counter has a title')).not.toContain('Monday')
    expect(testText(tests, 'a day')).not.toContain('#12ab34')
  })

  test('holds the table it is run over, and the loop it stands in', () => {
    expect(testText(tests, 'a day')).toContain('Monday')
    expect(testText(tests, `it has \${number} figures`)).toContain('[1, 2]')
  })

  test('is none where a title is only mentioned', () => {
    expect(testText("call('a day')\nexpect(x).toBe('a day')", 'a day')).toBeUndefined()
  })
})
