import type { Query } from '@tanstack/react-query'
import { leavingCodes, pathOf, queryClient } from '../../query-client.ts'
import { isTouched, type News, Refreshing } from './refreshing.ts'
import { openSource } from './source.ts'

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

/** Keeps a stream of an account's scans open while the page is visible, and reads its figures again. Returns how to stop. */
export function begin(setLive: (isLive: boolean) => void): () => void {
  const refreshing = new Refreshing({ read, isSeen })
  let close = () => {}

  function open() {
    close = openSource({
      onNews: (news) => refreshing.add(news),
      onBeat: () => {
        setLive(true)
        void refreshing.go()
      },
      onDown: () => setLive(false),
      onEnd: stop,
    })
  }

  function change() {
    close()
    setLive(false)
    if (!isSeen()) return
    refreshing.add(null)
    open()
  }

  function stop() {
    document.removeEventListener('visibilitychange', change)
    close()
    refreshing.stop()
    setLive(false)
  }

  document.addEventListener('visibilitychange', change)
  if (isSeen()) open()
  return stop
}
