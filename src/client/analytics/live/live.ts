import { useTimeout } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useSignedInNow } from '../../page-owner.ts'
import { useLatePart } from '../../ui/dialog/lazy-import.ts'
import { createStore } from '../../ui/store.ts'

/** Whether this page gets scans as they come. */
export const live = createStore(false)

/** Without a sign of a person the part comes after this time: the first load has long ended. */
const START_AFTER_MS = 6_000

const load = () => import('./live-part.ts')

/**
 * Figures move with the scans, as long as the page is its owner's. The part for it comes late; without
 * it the figures stay as they were loaded. It has nothing to show: a component of its own draws no page
 * again.
 */
export function Live() {
  const isOwners = useSignedInNow() === 'owner'
  const [isTime, setTime] = useState(false)
  useTimeout(() => setTime(true), START_AFTER_MS, { autoInvoke: true })
  const part = useLatePart(load, isTime)
  useEffect(() => {
    if (isOwners && part && !(part instanceof Error)) return part.begin(live.set)
  }, [isOwners, part])
  return null
}
