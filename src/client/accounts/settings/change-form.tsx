import { Group } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import type { z } from '#contract/zod.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import styles from '../../ui/form.module.css'
import { ongoing } from '../change-button.tsx'
import { type Change, useChange } from '../queries.ts'
import { FormContext } from '../sign-in/step-parts.tsx'
import { useSubmission } from '../sign-in/submission.ts'

export type FormProps<Body, Output> = Change<Body, Output> & {
  schema: z.ZodType<unknown>
  initialValues: Body
  /** The fields keep what was sent; otherwise they are empty again. */
  stays?: boolean
  onDone?: (output: Output) => void
  label?: string
  button: string
  /** By default of the button's label, as for a ChangeButton */
  busyText?: string
  variant?: 'default'
  children: ReactNode | ((form: UseFormReturnType<Body>) => ReactNode)
  /** At the end of the button's line */
  beside?: ReactNode
  below?: ReactNode
}

/** A form that changes something of the account. Errors of fields are shown at the fields. */
export function ChangeForm<Body extends Record<string, unknown>, Output>(
  props: FormProps<Body, Output>,
) {
  const { schema, initialValues, stays = false, onDone } = props
  const { label, button, busyText = ongoing(button), variant, children, beside, below } = props
  const change = useChange(props, true)
  const { form, onSubmit } = useSubmission({
    schema,
    initialValues,
    send: change.mutateAsync,
    onDone: (output, _body, sent) => {
      if (!stays) sent.reset()
      onDone?.(output)
    },
  })
  return (
    <form noValidate aria-label={label} className={styles.form} onSubmit={onSubmit}>
      <FormContext value={form}>
        {typeof children === 'function' ? children(form) : children}
      </FormContext>
      <Group gap="xs">
        <BusyButton type="submit" variant={variant} busy={change.isPending} busyText={busyText}>
          {button}
        </BusyButton>
        {beside}
      </Group>
      {below}
    </form>
  )
}
