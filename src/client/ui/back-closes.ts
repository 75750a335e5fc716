import { useEffect, useEffectEvent } from 'react'
import { givePlaceUp, type Leave, skipEmptyPlace, takePlace } from './dialog-place.ts'

/**
 * The back button closes what is open, as people know it from their phones, and does not take them
 * from the page with all that they have typed. `leave` may ask first.
 */
export function useBackCloses(opened: boolean, leave: Leave): void {
  const onBack = useEffectEvent(leave)
  useEffect(() => {
    if (!opened) return skipEmptyPlace()
    takePlace(() => onBack())
    return givePlaceUp
  }, [opened])
}
