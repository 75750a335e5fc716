import type { Query } from '@tanstack/react-query'
import type { ChangedEvent } from '#contract/analytics/figures.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { isUnauthorized, requestJson } from '../../api.ts'
import { leavingCodes, pathOf, queryClient } from '../../query-client.ts'
import { inWorkspace } from '../../workspace.ts'
import { isTouched, type News, Refreshing } from './refreshing.ts'

const isSeen = () => document.visibilityState === 'visible'

/** Reads again the touched answers that are on the screen, and marks the others as stale. Returns false on a failure. */
export async function read(news: News): Promise<boolean> {
  const touched = {
    predicate: ({ queryKey }: Query) => isTouched(pathOf(queryKey), news, leavingCodes),
  }
  const isFirst = ({ state }: Query) => state.fetchStatus !== 'idle' && state.data === undefined
  const hadFirst = queryClient.getQueryCache().findAll(touched).some(isFirst)
  await queryClient.invalidateQueries({ ...touched, refetchType: 'active' })
  // A first reading that was under way is waited for, not begun again. It may have begun before the scan.
  if (hadFirst) await queryClient.invalidateQueries({ ...touched, refetchType: 'active' })
  const shown = queryClient.getQueryCache().findAll({ ...touched, type: 'active' })
  return shown.every(({ state }) => state.status !== 'error')
}

/** Three beats that did not come: the connection is dead, or the computer was asleep. */
const SILENCE_MS = 45_000
const WAIT_MIN_MS = 2_000
const WAIT_MAX_MS = 5 * MINUTE_MS

/**
 * Keeps a stream of an account's scans open while the page is visible, and reads its figures again. After
 * each failure it waits longer. Returns how to stop.
 */
export function begin(setLive: (isLive: boolean) => void): () => void {
  const refreshing = new Refreshing({ read, isSeen })
  let source: EventSource | undefined
  let failures = 0
  let timer = 0
  let hasStopped = false

  const isAlive = () => {
    clearTimeout(timer)
    timer = window.setTimeout(fail, SILENCE_MS)
  }
  const on = (type: string, hear: (event: MessageEvent<string>) => void) =>
    source?.addEventListener(type, (event) => {
      failures = 0
      isAlive()
      hear(event)
    })

  function open() {
    source = new EventSource(inWorkspace('/api/analytics/stream'))
    isAlive()
    source.onopen = () => refreshing.add(null)
    on('beat', () => {
      setLive(true)
      void refreshing.go()
    })
    on('changed', ({ data }) => refreshing.add((JSON.parse(data) as ChangedEvent).codes))
    on('end', stop)
    source.onerror = fail
  }

  function close() {
    clearTimeout(timer)
    timer = 0
    source?.close()
    source = undefined
    setLive(false)
  }

  function fail() {
    close()
    const wait = Math.min(WAIT_MAX_MS, WAIT_MIN_MS * 2 ** failures++)
    // Not all browsers of a server that was started again at once.
    timer = window.setTimeout(failures > 1 ? openIfSignedIn : open, wait * (0.5 + Math.random()))
  }

  /** An EventSource does not say why it was refused. */
  async function openIfSignedIn() {
    const asked = timer
    const refusal = await requestJson('GET', '/api/auth/user').then(
      () => undefined,
      (error: unknown) => error,
    )
    if (hasStopped || asked !== timer) return
    if (isUnauthorized(refusal)) stop()
    else if (refusal) fail()
    else open()
  }

  function change() {
    close()
    failures = 0
    if (!isSeen()) return
    refreshing.add(null)
    open()
  }

  function stop() {
    hasStopped = true
    document.removeEventListener('visibilitychange', change)
    close()
    refreshing.stop()
  }

  document.addEventListener('visibilitychange', change)
  if (isSeen()) open()
  return stop
}
