import { cloneElement, type ReactElement } from 'react'

type Props = { label: string; children: ReactElement<{ 'data-tooltip'?: string }> }

/**
 * Says what a control without words does. Only the label is left on it: the page's one TooltipLayer
 * shows it, so that a table of a hundred such controls costs no more than their buttons.
 */
export function Tooltip({ label, children }: Props) {
  return cloneElement(children, { 'data-tooltip': label })
}
