import { hydrateRoot } from 'react-dom/client'
import { LandingPage } from './landing/landing-page.tsx'

const root = document.getElementById('root') as HTMLElement
/** The build has drawn it into the page, so that no script has to carry it. */
const example = root.querySelector('img[data-example]')?.getAttribute('src') ?? ''

hydrateRoot(root, <LandingPage example={example} />)
