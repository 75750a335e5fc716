import { useClickOutside, useWindowEvent } from '@mantine/hooks'
import { type FocusEvent, type PointerEvent, useState } from 'react'

/** The day at a place of the chart, from 0; those at its edges take what lies beyond. */
export function dayAt(x: number, area: { left: number; width: number }, count: number): number {
  const day = Math.floor((count * (x - area.left)) / area.width)
  return Math.min(Math.max(day, 0), count - 1)
}

type Read = { day: number; by: 'pointer' | 'keyboard' | 'hold' }

/**
 * The day of the chart that a user reads, and the handlers that change it. A day under the pointer shows
 * as long as the pointer is there; a day that was clicked, tapped or reached by keyboard stays.
 */
export function useReadDay(count: number) {
  const [read, setRead] = useState<Read | null>(null)
  const [last, setLast] = useState(count - 1)
  const isHeld = read?.by === 'hold'
  const close = () => setRead(null)

  const show = (day: number, by: Read['by']) => {
    setLast(day)
    setRead({ day, by })
  }
  const at = (event: PointerEvent<HTMLElement>) =>
    dayAt(event.clientX, event.currentTarget.getBoundingClientRect(), count)

  const area = useClickOutside<HTMLDivElement>(close, ['pointerdown'], undefined, isHeld)
  useWindowEvent('keydown', ({ key }) => key === 'Escape' && close())

  /** Between the slider and the tooltip nothing closes. */
  const leave = ({ relatedTarget }: FocusEvent) => {
    if (!area.current?.contains(relatedTarget)) close()
  }

  return {
    area,
    day: read ? Math.min(read.day, count - 1) : null,
    isHeld: isHeld || read?.by === 'keyboard',
    pointer: {
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (event.pointerType === 'mouse' && !isHeld) show(at(event), 'pointer')
      },
      onPointerLeave: () => read?.by === 'pointer' && close(),
      // A finger that scrolls the page cancels its pointer, and this never comes.
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        const day = at(event)
        if (isHeld && read.day === day) close()
        else show(day, 'hold')
      },
    },
    slider: {
      value: last,
      onChange: (event: { currentTarget: HTMLInputElement }) =>
        show(event.currentTarget.valueAsNumber, 'keyboard'),
      onFocus: () => read ?? show(last, 'keyboard'),
      onBlur: leave,
    },
    tooltip: { onBlur: (event: FocusEvent) => isHeld || leave(event) },
  }
}
