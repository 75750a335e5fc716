/**
 * The styles are fetched with the script, but as a preload: as style sheets they would hold
 * up the shell's first paint. This makes style sheets of them, where they stand, and waits for them.
 */
export async function stylesArrived(): Promise<void> {
  const links = document.querySelectorAll<HTMLLinkElement>('link[data-styles]')
  await Promise.all(
    [...links].map((link) => {
      const arrived = new Promise((resolve) => {
        link.addEventListener('load', resolve, { once: true })
        link.addEventListener('error', resolve, { once: true })
      })
      link.rel = 'stylesheet'
      return arrived
    }),
  )
}
