import type { Page } from '@playwright/test'

/** The elements of a page that move, or would as soon as they change. */
export function motionOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const running = document
      .getAnimations()
      .filter(({ playState }) => playState === 'running')
      .map(({ effect }) => `runs: ${JSON.stringify(effect?.getComputedTiming())}`)
    const styles = [...document.querySelectorAll('*')].flatMap((element) =>
      ['', '::before', '::after'].map((part) => ({ element, ...motionIn(element, part) })),
    )
    const ready = styles
      .filter(({ animation, durations }) => animation !== 'none' || !/^0s(, 0s)*$/.test(durations))
      .map(({ element, animation, durations }) =>
        [element.outerHTML.slice(0, 90), animation, durations].join(' '),
      )
    return [...running, ...ready]

    function motionIn(element: Element, part: string) {
      const { animationName, transitionDuration } = getComputedStyle(element, part)
      return { animation: animationName, durations: transitionDuration }
    }
  })
}
