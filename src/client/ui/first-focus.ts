/** A ref: the field has the focus as soon as it is there. Only for a page that is nothing but its form. */
export function firstFocus(field: HTMLElement | null): void {
  field?.focus()
}
