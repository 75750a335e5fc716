import { hydrateRoot } from 'react-dom/client'
import { tellSignedOut } from './account-tabs.ts'
import { LandingPage } from './landing/landing-page.tsx'

const root = document.getElementById('root') as HTMLElement
const example = root.querySelector('img[data-example]')?.getAttribute('src') ?? ''
const drawn = (part: string) => root.querySelector(`[data-drawn="${part}"]`)?.innerHTML ?? ''

tellSignedOut()
hydrateRoot(root, <LandingPage example={example} demo={drawn('demo')} end={drawn('end')} />)
