import { createHmac } from 'node:crypto'
import type {
  RecoveryCodes,
  SecondFactorOffer,
} from '../../src/contract/accounts/account-settings.ts'
import type { Person } from './person.ts'

/** An app on a phone that shows the code of a secret for 30 seconds (RFC 6238). */
export function appCode(secret: string, at: Date): string {
  const counter = Buffer.alloc(8)
  counter.writeUInt32BE(Math.floor(at.getTime() / 30_000), 4)
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const start = (mac[19] as number) & 15
  const number = mac.subarray(start, start + 4).readUInt32BE() & 0x7fffffff
  return `${number}`.slice(-6).padStart(6, '0')
}

/** Turns a person's second step on. Returns the secret of their app, and the recovery codes. */
export async function turnOnSecondStep(person: Person) {
  const { secret } = await person.make<SecondFactorOffer>('/api/account/second-factor', {})
  const code = appCode(secret, person.tessera.clock.now())
  const { codes } = await person.make<RecoveryCodes>('/api/account/second-factor/confirm', { code })
  return { secret, codes }
}

function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter))
    .map((value) => value.toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
