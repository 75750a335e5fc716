import type { Page } from '@playwright/test'

type LongTasks = { count: number; lastEnd: number }
type Watched = typeof globalThis & {
  longTasks: { start: number; end: number }[]
  paintOf: (since: string, selector: string, text: string) => Promise<number>
}

/** Makes a page record its long tasks and when something shows, so that no round trip is measured. */
export async function watchPage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched = globalThis as Watched
    watched.longTasks = []
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) {
        watched.longTasks.push({ start: startTime, end: startTime + duration })
      }
    }).observe({ type: 'longtask', buffered: true })

    const shows = (selector: string, text: string) =>
      [...document.querySelectorAll<HTMLInputElement>(selector)].some(({ value, textContent }) =>
        (value ?? textContent ?? '').includes(text),
      )
    /** Resolves after the first frame that shows it. */
    const painted = (selector: string, text: string) =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (!shows(selector, text)) return void requestAnimationFrame(look)
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve(performance.now())
          port2.postMessage(null)
        }
        requestAnimationFrame(look)
      })
    watched.paintOf = async (since, selector, text) => {
      if (since === 'navigation') return painted(selector, text)
      const start = await new Promise<number>((resolve) => {
        document.addEventListener(since, ({ timeStamp }) => resolve(timeStamp), {
          once: true,
          capture: true,
        })
      })
      return (await painted(selector, text)) - start
    }
  })
}

/**
 * Measures milliseconds from the start of the navigation, or from the next event of that kind, to the
 * frame that shows an element with this text. Resolves when the page is watching; the function that
 * it answers waits for the measurement.
 */
export async function timeOf(
  page: Page,
  since: 'navigation' | 'click' | 'keydown',
  selector: string,
  text: string,
): Promise<() => Promise<number>> {
  const asked = await page.evaluateHandle(
    (wanted) => ({
      time: (globalThis as Watched).paintOf(wanted.since, wanted.selector, wanted.text),
    }),
    { since, selector, text },
  )
  return () => asked.evaluate(({ time }) => time)
}

/** Tasks that blocked the page for more than 50 ms. */
export function longTasks(page: Page): Promise<LongTasks> {
  return page.evaluate(() => {
    const { longTasks } = globalThis as Watched
    return { count: longTasks.length, lastEnd: Math.max(0, ...longTasks.map(({ end }) => end)) }
  })
}
