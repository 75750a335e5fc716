import { Component, type ReactNode } from 'react'

type Children = { children: ReactNode }

/** Keeps a crash to itself, and shows nothing in its place: for what a page can be used without. */
export class SilentBoundary<P extends Children = Children> extends Component<
  P,
  { crashed: boolean }
> {
  state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  render() {
    return this.state.crashed ? this.renderCrash() : this.props.children
  }

  protected renderCrash(): ReactNode {
    return null
  }
}
