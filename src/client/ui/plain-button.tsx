import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentProps } from 'react'

/** A button beside the one that matters most. */
export function PlainButton(
  props: ButtonProps & Omit<ComponentProps<'button'>, 'color' | 'style'>,
) {
  return <Button variant="default" {...props} />
}
