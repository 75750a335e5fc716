import { beforeAll, describe, expect, test } from 'vitest'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { badQueries, type Parameter } from '../support/bad-values.ts'
import { decodePicture } from '../support/decode.ts'
import { madeIn } from '../support/for-block.ts'
import { enrolPerson } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { inTurn, someOf } from '../support/soak.ts'
import { runTessera } from '../support/tessera.ts'

const look = ['style', 'fg', 'bg', 'ecc', 'compact'] as const
/** The parameters of each call */
const calls = {
  generate: [...look, 'format', 'size', 'mm'],
  'download-zip': [...look, 'size', 'mm'],
  legibility: look,
} as const satisfies Record<string, readonly Parameter[]>
type Call = keyof typeof calls

const AT_ONCE = 16

const tessera = runTessera({ checks: true })
const owner = enrolPerson(tessera, 'unlimited')
const code = madeIn(beforeAll, () => owner.code())

const ask = (call: Call, query: string, { id } = code) =>
  owner.call(`/api/qr-codes/${id}/${call}?${query}`)

/** The fault of the answer to a bad query, or null if it refuses that parameter and says no more. */
async function faultOf(call: Call, parameter: Parameter, query: string): Promise<string | null> {
  const response = await ask(call, query)
  const { status, headers } = response
  const text = await response.clone().text()
  const fault = `${call}?${query.slice(0, 80)}: ${status} ${text.slice(0, 200)}`
  const isFile = headers.has('etag') || headers.has('content-disposition')
  const isJson = headers.get('content-type')?.startsWith('application/json')
  if (status !== 422 || isFile || !isJson) return fault
  const answer = await refusal(response)
  const { [parameter]: reason, ...others } = answer.fields ?? {}
  const isRefused = answer.code === 'invalid_input' && answer.message !== '' && Boolean(reason)
  // Nothing of what was sent comes back: no markup, no character that is not seen.
  const isClean = !/[<>](?!=)|[\p{Cc}\p{Cf}]|script|alert|passwd/u.test(text)
  return isRefused && isClean && Object.keys(others).length === 0 ? null : fault
}

/** In CI each bad value is asked of one of the calls that take its parameter, in turn; in a soak of all. */
function isAskedOf(call: Call, parameter: Parameter, at: number): boolean {
  const takers = (Object.keys(calls) as Call[]).filter((taker) =>
    (calls[taker] as readonly Parameter[]).includes(parameter),
  )
  return inTurn(takers, at).includes(call)
}

async function inBatches<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>) {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))))
  }
  return results
}

test('a size out of bounds is refused with its bounds', async () => {
  for (const [query, reason] of [
    ['size=63', { size: 'Must be a whole number of pixels from 64 to 4096' }],
    ['size=4097', { size: 'Must be a whole number of pixels from 64 to 4096' }],
    ['format=pdf&mm=9', { mm: 'Must be a number of millimeters from 10 to 2000' }],
    ['format=pdf&mm=2001', { mm: 'Must be a number of millimeters from 10 to 2000' }],
  ] as const) {
    expect((await refusal(await ask('generate', query))).fields).toEqual(reason)
  }
})

describe.each(Object.keys(calls) as Call[])('%s', (call) => {
  test.each(calls[call])('refuses the bad values of %s and draws nothing', async (parameter) => {
    const queries = badQueries(parameter).filter((_, at) => isAskedOf(call, parameter, at))
    expect(queries.length).toBeGreaterThan(10)
    const faults = await inBatches(queries, (query) => faultOf(call, parameter, query))
    expect(faults.filter((fault) => fault !== null)).toEqual([])
  })

  test('refuses a bad value beside good ones, and names each of several', async () => {
    const good = 'style=rounded&fg=abc&bg=fff&ecc=H&compact=true'
    const one = await refusal(await ask(call, good.replace('fg=abc', 'fg=abcd')))
    expect(Object.keys(one.fields ?? {})).toEqual(['fg'])
    const all = calls[call].map((parameter) => `${parameter}=url(%23x)`).join('&')
    const several = await refusal(await ask(call, all))
    expect(Object.keys(several.fields ?? {}).sort()).toEqual([...calls[call]].sort())
  })
})

/** The file as it is answered: two are alike only where all of this is. */
const fileOf = async (query: string) => {
  const response = await ask('generate', query)
  const bytes = Buffer.from(await response.arrayBuffer()).toString('base64')
  return [response.status, response.headers.get('etag'), bytes]
}

test.each([
  ['fg=%23abc', 'fg=abc', 'fg=ABC', 'fg=%23AaBbCc', 'fg=aabbcc'],
  ['bg=%23ffe', 'bg=ffe', 'bg=FFE', 'bg=ffffee', 'bg=%23FFffEe'],
  ['fg=1e3', 'fg=%2311ee33', 'fg=11EE33'],
  ['', 'format=png', 'style=classic', 'size=1024', 'size=001024', 'ecc=M', 'compact=false'],
  ['mm=50', 'mm=50.0', 'mm=050', 'mm=50.000'],
])('?%s has other spellings that make the same file', async (...queries) => {
  const [first, ...others] = await inBatches(queries, fileOf)
  expect(first?.[0]).toBe(200)
  for (const other of others) expect(other).toEqual(first)
})

test('a parameter that a picture does not have is refused by its name', async () => {
  const unknown = ['fg[]=red', 'fg[0]=red', 'fg.x=red', 'FG=red', '__proto__=red', 'constructor=x']
  const others = ['colour=red', 'margin=0', '%66%67%5B%5D=red', 'fg%00=red', 'logo=x']
  for (const query of [...unknown, ...others]) {
    const { status, message } = await refusal(await ask('generate', query))
    expect([query, status]).toEqual([query, 422])
    expect(message).toMatch(/^Unknown parameter ‘/)
  }
  expect(await fileOf('&&')).toEqual(await fileOf(''))
})

/** Texts that the parameter does not take; bytes that are none cannot stand in JSON. */
function badTexts(parameter: Parameter): string[] {
  return badQueries(parameter)
    .map((query) => query.slice(parameter.length + 1))
    .filter((value) => !value.includes('&'))
    .flatMap((value) => {
      try {
        return [decodeURIComponent(value)]
      } catch {
        return []
      }
    })
}

test.each([
  ['style', 'style'],
  ['fg', 'foregroundColor'],
  ['bg', 'backgroundColor'],
  ['ecc', 'ecc'],
] as const)('no bad %s is saved with a code either', async (parameter, field) => {
  const before = await fileOf('')
  const refused = await inBatches([...someOf(badTexts(parameter), 3)], async (value) => {
    const change = { method: 'PATCH', body: { [field]: value } }
    return refusal(await owner.call(`/api/qr-codes/${code.id}`, change))
  })
  for (const { status, fields = {} } of refused) {
    expect([status, Object.keys(fields)]).toEqual([422, [field]])
  }
  expect(await fileOf('')).toEqual(before)
})

/** A path that is longer than one may be: the symbol of its link has more modules than 64. */
async function longCode(): Promise<QrCode> {
  const long = await owner.code()
  const vanityUrl = 'x'.repeat(200)
  const change = tessera.database.db.updateTable('codes').set({ vanity_url: vanityUrl })
  await change.where('id', '=', long.id).execute()
  return { ...long, vanityUrl }
}

test('a size too small for the symbol names the smallest, and that one works', async () => {
  const long = await longCode()
  for (const format of ['png', 'jpg']) {
    for (const ecc of ['M', 'H']) {
      const query = `ecc=${ecc}&format=${format}`
      const refused = await expectRefusal(
        ask('generate', `${query}&size=64`, long),
        'invalid_input',
      )
      expect(Object.keys(refused.fields ?? {})).toEqual(['size'])
      const smallest = Number(/at least (\d+)/.exec(refused.fields?.size ?? '')?.[1])
      const below = await ask('generate', `${query}&size=${smallest - 1}`, long)
      const wanted = { size: expect.stringContaining(`${smallest}`) }
      expect((await refusal(below)).fields).toEqual(wanted)
      const drawn = await ask('generate', `${query}&size=${smallest}`, long)
      const text = await decodePicture(new Uint8Array(await drawn.arrayBuffer()))
      expect(text).toBe(`${tessera.origin}/qr/${long.vanityUrl}`)
    }
  }
})
