import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { tooltipTiming } from './tooltip-timing.ts'

/** What shows the labels of all the controls inside a Tooltip, one at a time. */
export function TooltipLayer() {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  useEffect(() => watchControls(setTarget), [])
  if (!target) return null
  return <Tooltip target={target} label={target.dataset.tooltip} opened transitionProps={NO_FADE} />
}

const NO_FADE = { duration: 0 }

const controlAt = (event: Event) =>
  event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tooltip]') : null

/** Tells which control's label shows, from pointer and keyboard. Answers how to stop. */
function watchControls(show: (control: HTMLElement | null) => void): () => void {
  const timing = tooltipTiming(show)
  const ended = new AbortController()
  const on = <Name extends keyof DocumentEventMap>(
    name: Name,
    react: (event: DocumentEventMap[Name]) => void,
  ) => document.addEventListener(name, react, { signal: ended.signal, capture: true })

  // A finger has no place to rest without pressing.
  on('pointerover', (event) => event.pointerType !== 'touch' && timing.point(controlAt(event)))
  on('pointerout', (event) => event.relatedTarget === null && timing.point(null))
  on('pointerdown', () => timing.dismiss())
  // What the keyboard presses may be another control from then on, such as Resume for Pause.
  on('click', () => timing.dismiss())
  on('focusin', (event) => {
    const control = controlAt(event)
    if (control?.matches(':focus-visible')) timing.showAtOnce(control)
  })
  on('focusout', () => timing.dismiss())
  on('keydown', ({ key }) => key === 'Escape' && timing.dismiss())
  return () => {
    ended.abort()
    timing.dismiss()
  }
}
