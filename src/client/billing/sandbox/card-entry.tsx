import type { ComponentProps } from 'react'
import { TestCardForm } from '../payment/test-card-form.tsx'

const focusFirstField = (form: HTMLElement | null) => form?.querySelector('input')?.focus()

/** A card form that comes in the place of the button that had the focus, and takes it over. */
export function CardEntry(props: ComponentProps<typeof TestCardForm>) {
  return (
    <div ref={focusFirstField}>
      <TestCardForm {...props} />
    </div>
  )
}
