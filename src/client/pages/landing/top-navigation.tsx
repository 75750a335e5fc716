import { useEffect, useRef, useState } from 'react'
import { Logo } from '../../ui/logo.tsx'
import { ButtonLink } from './button-link.tsx'
import styles from './top-navigation.module.css'

export function TopNavigation() {
  const [open, setOpen] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open) return
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      toggle.current?.focus()
    }
    document.addEventListener('keydown', closeByKey)
    return () => document.removeEventListener('keydown', closeByKey)
  }, [open])
  return (
    <header className={styles.bar}>
      <div className={styles.row}>
        <a href="/" className={styles.brand}>
          <Logo />
        </a>
        <button
          type="button"
          ref={toggle}
          className={styles.toggle}
          aria-expanded={open}
          aria-controls="menu"
          aria-label={open ? 'Close menu' : 'Open menu'}
          onClick={() => setOpen(!open)}
        >
          <span className={styles.bars} data-open={open} />
        </button>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the links inside take the keys; this only closes the menu after one */}
        <nav
          id="menu"
          aria-label="Main"
          className={styles.menu}
          data-open={open}
          onClick={() => setOpen(false)}
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
          <ButtonLink quiet>Login</ButtonLink>
          <ButtonLink>Get Started</ButtonLink>
        </nav>
      </div>
    </header>
  )
}
