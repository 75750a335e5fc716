import type { KeyScope, MadeApiKey } from '../../src/contract/integrations/api-keys.ts'
import { type Init, Person } from './person.ts'

/** A program with an API key of an account: it sends no cookie and names no origin. */
export class Program extends Person {
  readonly key: string

  constructor({ tessera, email, id, workspaceId }: Person, key: string) {
    super(tessera, email)
    this.id = id
    this.workspaceId = workspaceId
    this.key = key
  }

  override call(path: string, { method = 'GET', body, headers = {} }: Init = {}) {
    const json = body !== undefined && { 'content-type': 'application/json' }
    return fetch(this.tessera.origin + path, {
      method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${this.key}`, ...json, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }
}

type Wanted = { scope?: KeyScope; days?: number | null; name?: string }

/** Makes a key in the settings. The account needs a plan with the API. */
export function makeKey(person: Person, wanted: Wanted = {}): Promise<MadeApiKey> {
  const body = { name: 'Robot', scope: 'write', days: null, ...wanted }
  return person.ask('/api/account/keys', { method: 'POST', body })
}

export const newProgram = async (person: Person, wanted: Wanted = {}) =>
  new Program(person, (await makeKey(person, wanted)).key)
