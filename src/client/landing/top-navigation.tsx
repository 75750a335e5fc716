import { type FocusEvent, type ToggleEvent, useEffect, useRef, useState } from 'react'
import { Logo } from '../ui/page/logo.tsx'
import { ButtonLink } from './page-parts.tsx'
import styles from './top-navigation.module.css'

/** From this width on the menu is part of the bar. The style has the same width. */
const WIDE = '(min-width: 761px)'

/** On a phone the menu is a popover: the browser opens and closes it, even before the script has loaded. */
export function TopNavigation() {
  const [open, setOpen] = useState(false)
  const menu = useRef<HTMLElement>(null)
  const close = () => menu.current?.togglePopover(false)
  useEffect(() => {
    const width = window.matchMedia(WIDE)
    width.addEventListener('change', close)
    return () => width.removeEventListener('change', close)
  })
  // The menu would cover the element that gets the focus.
  const closeBehind = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget && !currentTarget.parentElement?.contains(relatedTarget)) close()
  }
  return (
    <header className={styles.bar}>
      <div className={`${styles.row} band`}>
        <a href="/" className={styles.brand}>
          <Logo />
        </a>
        <button
          type="button"
          className={styles.toggle}
          popoverTarget="menu"
          aria-expanded={open}
          aria-label={open ? 'Close menu' : 'Open menu'}
        >
          <svg
            className={styles.bars}
            viewBox="0 0 22 22"
            width={22}
            height={22}
            aria-hidden="true"
          >
            <path d={open ? 'M4 4L18 18M4 18L18 4' : 'M1 4h20M1 11h20M1 18h20'} />
          </svg>
        </button>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the links inside take the keys; this only closes the menu after one */}
        <nav
          id="menu"
          ref={menu}
          popover="auto"
          aria-label="Main"
          className={styles.menu}
          onToggle={({ newState }: ToggleEvent) => setOpen(newState === 'open')}
          onClick={close}
          onBlur={closeBehind}
        >
          <ul className={styles.links}>
            <li>
              <a href="#dashboard">Dashboard</a>
            </li>
            <li>
              <a href="#pricing">Pricing</a>
            </li>
            <li>
              <a href="#features">Features</a>
            </li>
          </ul>
          <ButtonLink href="/api/login" quiet>
            Login
          </ButtonLink>
          <ButtonLink>Get Started</ButtonLink>
        </nav>
      </div>
    </header>
  )
}
