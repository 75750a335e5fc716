import type { ChangedEvent } from '#contract/analytics/figures.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { isUnauthorized, requestJson } from '../../api.ts'
import type { News } from './refreshing.ts'

/** Three beats that did not come: the connection is dead, or the computer was asleep. */
const SILENCE_MS = 45_000
const WAIT_MIN_MS = 2_000
const WAIT_MAX_MS = 5 * MINUTE_MS

type SourceDeps = {
  /** Takes the codes that were scanned: all of them, null, when the stream begins. */
  onNews: (news: News) => void
  /** Called at each sign of life. */
  onBeat: () => void
  /** Called when the stream has broken off. */
  onDown: () => void
  /** Called when the session has ended. */
  onEnd: () => void
}

/** Keeps a stream of scans open, and waits longer after each failure. Returns how to end it. */
export function openSource(deps: SourceDeps): () => void {
  let source: EventSource | undefined
  let failures = 0
  let timer = 0
  let isOver = false

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
    source = new EventSource('/api/analytics/stream')
    isAlive()
    source.onopen = () => deps.onNews(null)
    on('beat', deps.onBeat)
    on('changed', ({ data }) => deps.onNews((JSON.parse(data) as ChangedEvent).codes))
    on('end', end)
    source.onerror = fail
  }

  function close() {
    clearTimeout(timer)
    source?.close()
    source = undefined
  }

  function fail() {
    close()
    deps.onDown()
    const wait = Math.min(WAIT_MAX_MS, WAIT_MIN_MS * 2 ** failures++)
    // Not all browsers of a server that was started again at once.
    timer = window.setTimeout(failures > 1 ? openIfSignedIn : open, wait * (0.5 + Math.random()))
  }

  /** An EventSource does not say why it was refused. */
  async function openIfSignedIn() {
    const refusal = await requestJson('GET', '/api/auth/user').then(
      () => undefined,
      (error: unknown) => error,
    )
    if (isOver) return
    if (isUnauthorized(refusal)) end()
    else if (refusal) fail()
    else open()
  }

  function end() {
    isOver = true
    close()
    deps.onEnd()
  }

  open()
  return () => {
    isOver = true
    close()
  }
}
