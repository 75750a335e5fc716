import type { Query } from '@tanstack/react-query'
import { leavingCodes, pathOf, queryClient } from '../../query-client.ts'
import { LeaderLog } from './leader-log.ts'
import { setLive } from './live-state.ts'
import { isTouched, type News } from './news.ts'
import { Refreshing } from './refreshing.ts'
import { openSource } from './source.ts'

/** A page that was told nothing for so long, by no tab, is not live. */
const SILENCE_MS = 50_000
/** The lock comes at once, or another tab has it. */
const ASK_AFTER_MS = 300

/** Between the tabs: an event of the stream; that there is none; what a new tab has missed since then. */
type Message =
  | { id: string; news?: News | undefined; to?: string | undefined }
  | { down: true }
  | { ask: number; tab: string }

const isSeen = () => document.visibilityState === 'visible'

/** Reads again what is on the screen, and has the rest read when it is. */
async function read(news: News): Promise<boolean> {
  const touched = {
    predicate: ({ queryKey }: Query) => isTouched(pathOf(queryKey), news, leavingCodes),
  }
  await queryClient.invalidateQueries({ ...touched, refetchType: 'active' })
  const shown = queryClient.getQueryCache().findAll({ ...touched, type: 'active' })
  return shown.every(({ state }) => state.status !== 'error')
}

/**
 * Tells this page of an account's scans. Of all tabs that can be seen, the one that holds a lock has
 * the stream, and tells the others. A tab that nobody sees has none. Returns how to stop.
 */
export function begin(userId: string): () => void {
  const name = `tessera-live-${userId}`
  const tab = crypto.randomUUID()
  const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : undefined
  const refreshing = new Refreshing({ read, isSeen })
  /** The last event that this page heard, and when. */
  let lastId = ''
  let heardAt = performance.timeOrigin
  let hasEnded = false
  let log: LeaderLog | undefined
  let leave = () => {}
  let silence = 0

  const say = (message: Message) => tabs?.postMessage(message)

  function hear(id: string, news?: News) {
    lastId = id
    heardAt = Date.now()
    setLive(true)
    clearTimeout(silence)
    silence = window.setTimeout(() => setLive(false), SILENCE_MS)
    if (news === undefined) void refreshing.go()
    else refreshing.add(news)
  }

  function down() {
    clearTimeout(silence)
    setLive(false)
  }

  /** Where the stream goes on; a page that was told nothing yet says how old it is. */
  const query = () => (lastId ? `?after=${lastId}` : `?age=${Math.round(performance.now())}`)

  function lead(): () => void {
    log = new LeaderLog(Date.now())
    const close = openSource({
      query,
      onEvent: (id, news) => {
        if (news !== undefined) log?.note(news, Date.now())
        hear(id, news)
        say({ id, news })
      },
      onDown: () => {
        down()
        say({ down: true })
      },
      onEnd: stop,
    })
    return () => {
      log = undefined
      close()
      // The next tab that can be seen goes on.
      down()
    }
  }

  /** Waits for its turn to have the stream, and has it until it leaves. */
  function join() {
    if (hasEnded) return
    if (!navigator.locks) {
      leave = lead()
      return
    }
    const left = new AbortController()
    let release = () => {}
    const turn = () =>
      new Promise<void>((resolve) => {
        if (left.signal.aborted) return resolve()
        const close = lead()
        release = () => {
          close()
          resolve()
        }
      })
    navigator.locks.request(name, { signal: left.signal }, turn).catch(() => {})
    const asking = window.setTimeout(() => {
      if (!log) say({ ask: heardAt, tab })
    }, ASK_AFTER_MS)
    leave = () => {
      clearTimeout(asking)
      left.abort()
      release()
    }
  }

  function change() {
    leave()
    leave = () => {}
    if (!isSeen()) return
    join()
    void refreshing.go()
  }

  function stop() {
    if (hasEnded) return
    hasEnded = true
    document.removeEventListener('visibilitychange', change)
    leave()
    refreshing.stop()
    tabs?.close()
    down()
  }

  if (tabs) {
    tabs.onmessage = ({ data }: MessageEvent<Message>) => {
      if ('down' in data) down()
      else if ('ask' in data) {
        if (log && lastId) say({ id: lastId, news: log.after(data.ask), to: data.tab })
      } else if (data.to === undefined || data.to === tab) hear(data.id, data.news)
    }
  }
  document.addEventListener('visibilitychange', change)
  change()
  return stop
}
