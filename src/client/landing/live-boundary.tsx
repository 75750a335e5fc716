import { SilentBoundary } from '../ui/silent-boundary.tsx'

/** Keeps a fault of the live code to its place; the page around it stays. */
export class LiveBoundary extends SilentBoundary {
  protected renderCrash() {
    return <p role="alert">The preview could not be shown. Reload the page to try again.</p>
  }
}
