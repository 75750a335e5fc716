import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'

type Credential = { id: Buffer; key: KeyObject; rpId: string; userHandle: string; counter: number }

/** The circumstances that a test can change */
type Circumstances = {
  /** The page that asks */
  origin: string
  /** The site that it signs for, if not the one that asks */
  rpId?: string
  /** Whether it checked its person, by a finger or a PIN */
  isVerified?: boolean
  /** Whether it counts its signatures; most do not */
  counts?: boolean
  /** A statement about itself, which we do not ask for */
  attestation?: { format: string; statement: Map<CborKey, Cbor> }
}

const sha256 = (data: Buffer | string) => Buffer.from(hash('sha256', data, 'buffer'))

/** A browser and its authenticator in one: makes passkeys and signs with them (WebAuthn Level 3). */
export class SoftwareAuthenticator {
  readonly credentials: Credential[] = []

  /** navigator.credentials.create() */
  create(
    options: PublicKeyCredentialCreationOptionsJSON,
    {
      origin,
      rpId = options.rp.id ?? '',
      isVerified = true,
      counts = false,
      attestation,
    }: Circumstances,
  ): RegistrationResponseJSON {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const id = randomBytes(32)
    const counter = counts ? 1 : 0
    this.credentials.push({ id, key: privateKey, rpId, userHandle: options.user.id, counter })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    // RFC 9053 §7.1.1: an elliptic curve's key, ES256, P-256
    const coseKey = new Map<CborKey, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, id, cbor(coseKey)])
    const authData = Buffer.concat([
      dataOf({ rpId, isVerified, counter, attested: true }),
      attested,
    ])
    const attestationObject = cbor(
      new Map<CborKey, Cbor>([
        ['fmt', attestation?.format ?? 'none'],
        ['attStmt', attestation?.statement ?? new Map()],
        ['authData', authData],
      ]),
    )
    const clientData = clientDataOf('webauthn.create', options.challenge, origin)
    return {
      ...described(id),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal', 'hybrid'],
      },
    }
  }

  /** navigator.credentials.get(), with the passkey that was made last for this site */
  get(
    options: PublicKeyCredentialRequestOptionsJSON,
    { origin, rpId = options.rpId ?? '', isVerified = true }: Circumstances,
  ): AuthenticationResponseJSON {
    const credential = this.credentials.findLast(({ rpId }) => rpId === options.rpId)
    if (!credential) throw new Error(`no passkey for ${options.rpId}`)
    if (credential.counter > 0) credential.counter++
    const { id, key, userHandle, counter } = credential
    const authData = dataOf({ rpId, isVerified, counter, attested: false })
    const clientData = clientDataOf('webauthn.get', options.challenge, origin)
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), key)
    return {
      ...described(id),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle,
      },
    }
  }
}

const described = (id: Buffer) => ({
  id: id.toString('base64url'),
  rawId: id.toString('base64url'),
  type: 'public-key' as const,
  authenticatorAttachment: 'platform' as const,
  clientExtensionResults: { credProps: { rk: true } },
})

/** §5.8.1 */
const clientDataOf = (type: string, challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

type Statement = { rpId: string; isVerified: boolean; counter: number; attested: boolean }

/** §6.1: the site, what was checked, and the count. */
function dataOf({ rpId, isVerified, counter, attested }: Statement): Buffer {
  const PRESENT = 0b1
  const flags = PRESENT | (isVerified ? 0b100 : 0) | (attested ? 0b100_0000 : 0)
  const rest = Buffer.alloc(5)
  rest.writeUInt8(flags)
  rest.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(rpId), rest])
}

type CborKey = number | string
type Cbor = number | string | Buffer | Cbor[] | Map<CborKey, Cbor>

/** RFC 8949, as far as authenticators write it. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return Buffer.concat([head(3, text.length), text])
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  const pairs = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)])
  return Buffer.concat([head(5, value.size), ...pairs])
}

/** A major type with a length or number, in as few bytes as it takes. */
function head(type: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(type << 5) | length])
  if (length < 256) return Buffer.from([(type << 5) | 24, length])
  return Buffer.from([(type << 5) | 25, length >> 8, length & 255])
}
