import { readdirSync, readFileSync } from 'node:fs'
import { analyse } from 'scslre'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'

/** Expressions that take longer than their text grows, and what bounds the text */
const BOUNDED: Record<string, string> = {
  'contract/series/series-rows.ts': 'lines of a form, in the browser of who pasted them',
  'server/accounts/origin.ts': 'an address of a socket or a proxy',
  'server/analytics/query/labels.ts': 'a rule of ours, cut when it is stored',
  'server/analytics/user-agents/agent.ts': 'an agent, cut when it comes in',
  'server/billing/stripe/stripe-client.ts': 'a message of Stripe’s',
  'server/config.ts': 'a variable of the operator’s',
  'server/http/policy/client-address.ts': 'an address, whose first percent sign always matches',
  'server/http/policy/site-policy.ts': 'an address, whose first question mark always matches',
  'server/mail/mail-template.ts': 'a text of ours with a device',
  'server/mail/transport.ts': 'one answer of a mail server',
}

const SRC = new URL('../../../src/', import.meta.url)

/** The regular expressions that a file writes down */
function expressionsIn(file: string): { pattern: string; flags: string }[] {
  const found: { pattern: string; flags: string }[] = []
  const code = readFileSync(new URL(file, SRC), 'utf8')
  const tree = parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file)
  JSON.stringify(tree, (_key, node) => {
    if (node?.regex) found.push(node.regex)
    return typeof node === 'bigint' ? String(node) : node
  })
  return found
}

test('every regular expression takes a time that grows as its text does, or its text is bounded', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  const slow = files
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) =>
      expressionsIn(file).some(
        ({ pattern, flags }) => analyse({ source: pattern, flags }).reports.length > 0,
      ),
    )
  expect(slow.sort()).toEqual(Object.keys(BOUNDED))
}, 30_000)
