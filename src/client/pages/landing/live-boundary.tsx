import { Component, type ReactNode } from 'react'

/** Keeps a fault of the live code to its place; the page around it stays. */
export class LiveBoundary extends Component<{ children: ReactNode }, { crashed: boolean }> {
  state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  render() {
    if (!this.state.crashed) return this.props.children
    return <p role="alert">The preview could not be shown. Reload the page to try again.</p>
  }
}
