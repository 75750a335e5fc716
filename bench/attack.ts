/**
 * One attack of the bench `neighbours`, until the process is ended: `node attack.ts NAME PORT TARGETS`.
 * It sends raw bytes from an address of its own, so that it costs this machine little beside the
 * server, and answers each message of its parent with what was answered.
 */
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setPriority } from 'node:os'
import {
  type Attack,
  type AttackName,
  type AttackTargets,
  attackNames,
  type Statuses,
} from './attacks.ts'

/** This process's own CPU must not be counted against the server. */
const NICE = 19
const RECONNECT_MS = 20
const STATUS_START = 'HTTP/1.1 '
const STATUS_LENGTH = 'HTTP/1.1 200'.length

setPriority(0, NICE)

const [name, port, json = ''] = process.argv.slice(2)
/** Each attack has its own, so that none meets a limit that another has used up. */
const localAddress = `127.0.2.${1 + attackNames.indexOf(name as AttackName)}`
const targets = JSON.parse(json) as AttackTargets
const seen: Statuses = {}
const random = () => randomUUID().replaceAll('-', '')

const get = (path: string, cookie = '') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${cookie && `Cookie: ${cookie}\r\n`}\r\n`

function signIn() {
  const body = JSON.stringify({ email: `${random()}@example.com`, password: 'wrong horse battery' })
  return (
    `POST /api/auth/sign-in/email HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${targets.origin}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  )
}

function bigPicture() {
  const colour = random().slice(0, 6)
  const path = `/api/qr-codes/${targets.codeId}/generate?format=jpg&size=4096&bg=${colour}&fg=000000`
  return get(path, targets.drawer)
}

/** America/Argentina/ComodRivadavia has 28 letters, each of which may be a capital or not. */
function anySpelling() {
  const flips = Math.floor(Math.random() * 2 ** 28)
  let letter = 0
  const zone = 'America/Argentina/ComodRivadavia'.replace(/[a-z]/gi, (each) =>
    (flips >> letter++) & 1 ? each.toUpperCase() : each.toLowerCase(),
  )
  return get(`/api/analytics/user?tz=${zone}`, targets.free)
}

const attacks: Record<AttackName, Attack> = {
  lists: { connections: 1, depth: 1_400, next: () => get('/api/qr-codes', targets.manyCodes) },
  pages: { connections: 10, depth: 1_000, next: () => get('/') },
  drawings: { connections: 1, depth: 190, next: bigPicture, hangUpAfterMs: 500 },
  'sign-ins': { connections: 80, depth: 1, next: signIn },
  'time zones': { connections: 8, depth: 4, next: anySpelling },
  'unknown codes': { connections: 64, depth: 1, next: () => get(`/qr/${random().slice(0, 12)}`) },
}

/** Keeps `depth` requests unanswered on one connection, or sends them and hangs up. */
function keepUp(attack: Attack) {
  const { depth, next, hangUpAfterMs } = attack
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress })
  let rest: Buffer = Buffer.alloc(0)
  const send = (count: number) => socket.write(Array.from({ length: count }, next).join(''))
  socket.setNoDelay().on('error', () => {})
  socket.once('close', () => setTimeout(keepUp, RECONNECT_MS, attack))
  socket.on('data', (chunk) => {
    const data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const { count, end } = readStatuses(data)
    rest = data.subarray(Math.max(end, data.length - STATUS_LENGTH + 1))
    if (count > 0 && !hangUpAfterMs && !socket.destroyed) send(count)
  })
  send(depth)
  if (hangUpAfterMs) setTimeout(() => socket.destroy(), hangUpAfterMs)
}

/** Counts the answers that begin in these bytes; `end` is behind the last one's status. */
function readStatuses(data: Buffer): { count: number; end: number } {
  let [count, end] = [0, 0]
  for (;;) {
    const at = data.indexOf(STATUS_START, end)
    if (at === -1 || at + STATUS_LENGTH > data.length) break
    end = at + STATUS_LENGTH
    const status = data.toString('latin1', at + STATUS_START.length, end)
    seen[status] = (seen[status] ?? 0) + 1
    count++
  }
  return { count, end }
}

process.on('message', () => process.send?.(seen))
const attack = attacks[name as AttackName]
for (let count = 0; count < attack.connections; count++) keepUp(attack)
