/*
 * Makes the API reference accessible to keyboards and screen readers: code that scrolls gets a tab stop
 * (WCAG 2.1.1), and cards of equal names are groups, not landmarks.
 */

const mend = () => {
  for (const code of document.querySelectorAll<HTMLElement>('code.custom-scroll:not([tabindex])')) {
    code.tabIndex = 0
  }
  for (const card of document.querySelectorAll('.scalar-card[role=region]')) card.role = 'group'
}

new MutationObserver(mend).observe(document.documentElement, { childList: true, subtree: true })
