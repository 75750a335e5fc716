import type { FormErrors } from '@mantine/form'

type Form = { getInputNode: (path: string) => HTMLElement | null }

/** After a refused submit the first field at fault has the focus. */
export function focusFirstError(form: Form): (errors: FormErrors) => void {
  return (errors) => {
    const nodes = Object.keys(errors).map((path) => form.getInputNode(path))
    const inOrder = nodes
      .filter((node) => node !== null)
      .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
    inOrder[0]?.focus()
  }
}
