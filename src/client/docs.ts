/*
 * What the reference draws is mended for those who read it by keys or by ear: code that scrolls gets a
 * tab stop (WCAG 2.1.1), and cards of equal names are no landmarks.
 */

const mend = () => {
  for (const code of document.querySelectorAll<HTMLElement>('code.custom-scroll:not([tabindex])')) {
    code.tabIndex = 0
  }
  for (const card of document.querySelectorAll('.scalar-card[role=region]')) card.role = 'group'
}

new MutationObserver(mend).observe(document.documentElement, { childList: true, subtree: true })
