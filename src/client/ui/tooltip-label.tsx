import { Tooltip } from '@mantine/core'

/** The label of a control, beside it. Fetched late: what places it is heavy. */
export function TooltipLabel({ target }: { target: HTMLElement }) {
  return (
    <Tooltip
      target={target}
      label={target.dataset.tooltip}
      opened
      transitionProps={{ duration: 0 }}
    />
  )
}
