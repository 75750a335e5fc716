import type { IncomingMessage } from 'node:http'
import { escapeHtml, plainPage } from './plain-page.ts'

type Words = { title: string; says?: string; go?: [address: string, words: string] }

const byStatus: Record<number, Words> = {
  401: {
    title: 'Please log in',
    says: 'You need to be logged in to see this page.',
    go: ['/api/login', 'Log In'],
  },
  403: { title: 'You can’t open this page' },
  404: { title: 'Page not found', says: 'Check the address, or start over from the home page.' },
  429: { title: 'Too many requests' },
  503: { title: 'Please try again in a moment' },
}

/** Whether a browser opens the address itself. Programs, scripts and pictures do not ask for HTML. */
export const isPageView = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>) =>
  method === 'GET' && (headers.accept ?? '').includes('text/html')

/** The page for a person whose browser opened an address that answers with an error. */
export function errorPage(error: { status: number; message: string }): string {
  const title = error.status < 500 ? 'That didn’t work' : 'Something went wrong'
  const words = byStatus[error.status] ?? { title }
  const [address, label] = words.go ?? ['/', 'Go to the Home Page']
  return plainPage(
    words.title,
    `<p>${escapeHtml(words.says ?? error.message)}</p>
<p><a class="go" href="${address}">${label}</a></p>`,
  )
}
