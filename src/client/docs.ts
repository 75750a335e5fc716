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

/*
 * The reference's program asks for the browser's storage when it starts, which throws where site data are
 * blocked: there it gets one that forgets.
 */
for (const name of ['localStorage', 'sessionStorage'] as const) {
  try {
    void window[name]
  } catch {
    const kept = new Map<string, string>()
    const value = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => kept.set(key, text),
      removeItem: (key: string) => kept.delete(key),
      clear: () => kept.clear(),
    }
    Object.defineProperty(window, name, { value })
  }
}
