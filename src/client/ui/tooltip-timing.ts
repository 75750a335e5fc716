/** How long the pointer rests on a control before its tooltip shows. */
const OPEN_DELAY_MS = 700
/** Whoever comes from a tooltip that closed less than this ago is reading them: the next shows at once. */
const SKIP_DELAY_MS = 300

/** Which control's tooltip shows, and when: `show` is told the control, or null for none. */
export function tooltipTiming<Control>(show: (control: Control | null) => void) {
  let pointed: Control | null = null
  let shown: Control | null = null
  let opening: ReturnType<typeof setTimeout> | undefined
  let reading: ReturnType<typeof setTimeout> | undefined

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
  const open = (control: Control) => {
    close()
    shown = control
    show(control)
  }
  return {
    /** The pointer is over this control now, or over none. */
    point(control: Control | null) {
      if (control === pointed) return
      pointed = control
      close()
      if (control === null) return
      if (reading !== undefined) open(control)
      else opening = setTimeout(() => open(control), OPEN_DELAY_MS)
    },
    /** Whoever comes to a control by the keyboard sees nothing but that it is there. */
    showAtOnce: open,
    /** Closes; the pointer must leave the control and come back before its tooltip shows again. */
    dismiss: close,
  }
}
