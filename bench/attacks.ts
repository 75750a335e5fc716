import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { ended, type ServerProcess } from '../tests/support/process.ts'

/** The attacks of strangers in the bench `neighbours`, each from one process. */
export const attackNames = [
  'lists',
  'pages',
  'drawings',
  'sign-ins',
  'time zones',
  'unknown codes',
] as const
export type AttackName = (typeof attackNames)[number]

/** Connections, each with `depth` requests unanswered; `next` is the next request's bytes. */
export type Attack = {
  connections: number
  depth: number
  next: () => string
  /** Sends `depth` requests and hangs up after this time, again and again. */
  hangUpAfterMs?: number
}

/**
 * The cookies of an account with many codes, of one that draws the code with this id, and of a free
 * account.
 */
export type AttackTargets = {
  origin: string
  manyCodes: string
  drawer: string
  codeId: string
  free: string
}

/** The number of answers by status. */
export type Statuses = Record<string, number>

/** A load beside the measured requests. */
export type Beside = { statuses: () => Promise<Statuses>; end: () => Promise<unknown> }

export const nothing = (): Beside => ({ statuses: async () => ({}), end: async () => {} })

/** Shows the delay that the machine itself adds as soon as other programs take what is left over. */
export function busyLoops(count: number): Beside {
  const loop = ['-e', 'require("node:os").setPriority(0, 19); for (;;) {}']
  const children = Array.from({ length: count }, () => spawn('node', loop))
  const end = () => Promise.all(children.map((child) => ended(child, 'SIGKILL')))
  return { statuses: async () => ({}), end }
}

export function attack(name: AttackName, { origin }: ServerProcess, targets: AttackTargets) {
  const program = fileURLToPath(new URL('attack.ts', import.meta.url))
  const child = fork(program, [name, new URL(origin).port, JSON.stringify(targets)])
  const statuses = async () => {
    child.send('statuses')
    const [seen] = await once(child, 'message')
    return seen as Statuses
  }
  return { statuses, end: () => ended(child, 'SIGKILL') } satisfies Beside
}
