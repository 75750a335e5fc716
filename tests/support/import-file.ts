import { expect } from 'vitest'
import type { ImportNow, ImportPublishCall, MadeImport } from '../../src/contract/imports.ts'
import type { Person } from './person.ts'

/** The wish of an import to be published with a plain look, as it is stored */
export const WANTED = JSON.stringify({
  look: {
    style: 'classic',
    foreground_color: '#000000',
    background_color: '#FFFFFF',
    ecc: 'M',
    compact: 0,
    artwork: null,
  },
  tags: [],
  otherPaths: false,
  origin: { address: null, device: null },
})

type Sent = {
  name?: string
  format?: string
  domain?: string
  type?: string
  headers?: Record<string, string>
}

/** Sends a file of codes as it is. */
export function postFile(
  person: Person,
  file: string | Uint8Array,
  { name = 'codes.csv', format = 'auto', domain, type = 'text/csv', headers = {} }: Sent = {},
): Promise<Response> {
  const query = new URLSearchParams({ name, format, ...(domain && { domain }) })
  return fetch(`${person.tessera.origin}/api/imports?${query}`, {
    method: 'POST',
    headers: {
      cookie: person.cookie,
      origin: person.tessera.origin,
      'content-type': type,
      ...headers,
    },
    body: file as BodyInit,
  })
}

/** The answer to a file that can be read. */
export async function sendFile(person: Person, file: string | Uint8Array, sent?: Sent) {
  const response = await postFile(person, file, sent)
  const text = await response.text()
  expect([response.status, text]).toEqual([201, expect.any(String)])
  return JSON.parse(text) as MadeImport
}

export const publishFile = (person: Person, id: string, body: ImportPublishCall = {}) =>
  person.call(`/api/imports/${id}/publish`, { method: 'POST', body })

/** Sends a file, publishes it, and waits until its codes are there. */
export async function importFile(
  person: Person,
  file: string | Uint8Array,
  body: ImportPublishCall = {},
): Promise<ImportNow> {
  const { id } = await sendFile(person, file)
  const response = await publishFile(person, id, body)
  expect([response.status, await response.text()]).toEqual([202, expect.any(String)])
  await person.tessera.app.importsIdle()
  return person.ask<ImportNow>(`/api/imports/${id}`)
}
