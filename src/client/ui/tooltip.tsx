import { cloneElement, type ReactElement, useEffect, useState } from 'react'
import { Late } from './dialog/late.tsx'

/** How long the pointer rests on a control before its tooltip shows. */
const OPEN_DELAY_MS = 700
/** Within this time after a tooltip has closed, the next one shows at once: the person is reading them. */
const SKIP_DELAY_MS = 300

type Props = { label: string; children: ReactElement<{ 'data-tooltip'?: string }> }

/**
 * Says what an icon button does. It only leaves the label on the button: one TooltipLayer shows it,
 * so that the tooltips of a table with a hundred buttons cost nothing.
 */
export function Tooltip({ label, children }: Props) {
  return cloneElement(children, { 'data-tooltip': label })
}

const loadLabel = () => import('./tooltip-label.tsx')

/** Shows the labels of all controls inside a Tooltip, one at a time. */
export function TooltipLayer() {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  useEffect(() => watchControls(setTarget), [])
  return (
    <Late load={loadLabel} isNeeded={target !== null} failed={null}>
      {({ TooltipLabel }) => target && <TooltipLabel target={target} />}
    </Late>
  )
}

const controlAt = (event: Event) =>
  event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tooltip]') : null

/** Calls `show` with the control that the pointer or the keyboard is at, and returns a function that stops it. */
function watchControls(show: (control: HTMLElement | null) => void): () => void {
  const timing = tooltipTiming(show)
  const ended = new AbortController()
  const on = <Name extends keyof DocumentEventMap>(
    name: Name,
    react: (event: DocumentEventMap[Name]) => void,
  ) => document.addEventListener(name, react, { signal: ended.signal, capture: true })

  // A finger cannot rest on a control without pressing it.
  on('pointerover', (event) => event.pointerType !== 'touch' && timing.point(controlAt(event)))
  on('pointerout', (event) => event.relatedTarget === null && timing.point(null))
  on('pointerdown', () => timing.close())
  // A click by the keyboard may turn the control into another one, such as Pause into Resume.
  on('click', () => timing.close())
  on('focusin', (event) => {
    const control = controlAt(event)
    if (control?.matches(':focus-visible')) timing.open(control)
  })
  on('focusout', () => timing.close())
  on('keydown', ({ key }) => key === 'Escape' && timing.close())
  return () => {
    ended.abort()
    timing.close()
  }
}

/** Decides when `show` is called: with a control, or with null when its tooltip closes. */
function tooltipTiming(show: (control: HTMLElement | null) => void) {
  let pointed: HTMLElement | null = null
  let shown: HTMLElement | null = null
  let opening: ReturnType<typeof setTimeout> | undefined
  let reading: ReturnType<typeof setTimeout> | undefined

  /** The tooltip of the same control shows again only after the pointer has left it. */
  const close = () => {
    clearTimeout(opening)
    if (shown === null) return
    shown = null
    show(null)
    clearTimeout(reading)
    reading = setTimeout(() => {
      reading = undefined
    }, SKIP_DELAY_MS)
  }
  const open = (control: HTMLElement) => {
    close()
    shown = control
    show(control)
  }
  const point = (control: HTMLElement | null) => {
    if (control === pointed) return
    pointed = control
    close()
    if (control === null) return
    if (reading !== undefined) open(control)
    else opening = setTimeout(() => open(control), OPEN_DELAY_MS)
  }
  return { point, open, close }
}
