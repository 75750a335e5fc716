/** Mantine gives the focus back to a dialog's opener some 10 ms after it has closed. */
const RETURNED_AFTER_MS = 50

/** Where a dialog's opener has gone from the page, the focus goes to the given place instead. */
export function focusUnlessReturned(place: HTMLElement | null): void {
  setTimeout(() => {
    if (document.activeElement === document.body) place?.focus()
  }, RETURNED_AFTER_MS)
}
