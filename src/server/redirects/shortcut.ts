import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../clock.ts'
import type { Follow } from './follow.ts'
import type { LookupThrottle } from './lookup-throttle.ts'
import type { TargetCache } from './target-cache.ts'

/** A printed link as cameras open it: no preview, no query, nothing encoded. */
const PLAIN = /^\/(?:qr|QR)\/([A-Za-z0-9_-]{3,50})$/

export type Shortcut = (request: IncomingMessage, response: ServerResponse) => boolean

type ShortcutDeps = {
  targets: TargetCache
  guesses: LookupThrottle
  clock: Clock
  addressOf: (request: IncomingMessage) => string
  follow: Follow
}

/**
 * The redirect of a code that is known and works, before the framework sees the request: a quarter
 * less work for the thread that all share. It leaves every other request to the routes.
 */
export function shortcutOf({ targets, guesses, clock, addressOf, follow }: ShortcutDeps): Shortcut {
  const find = (key: string, request: IncomingMessage) =>
    targets.get(key) ?? guesses.findNow(key, { ip: addressOf(request), socket: request.socket })
  return (request, response) => {
    if (request.method !== 'GET') return false
    const name = PLAIN.exec(request.url ?? '')?.[1]
    const target = name && find(name.toLowerCase(), request)?.target
    if (!target || target.paused) return false
    if (target.expiresAt !== null && clock().getTime() > target.expiresAt) return false
    const { headers } = request
    const peer = request.socket.remoteAddress
    follow(target, { method: 'GET', address: addressOf(request), peer, headers }, response)
    return true
  }
}
