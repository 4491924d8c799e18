import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { cache } from 'lit/directives/cache.js';
import { views, type View } from '../app/address.ts';
import { inputErrorText } from '../app/files.ts';
import type { ChoiceStore } from '../app/choiceStore.ts';
import type { RunHistory } from '../app/history.ts';
import type { KeptImages } from '../app/keptImages.ts';
import type { Navigation } from '../app/navigation.ts';
import type { OfflineApp } from '../app/offline.ts';
import type { Session } from '../app/session.ts';
import type { Training } from '../app/training.ts';
import type { RunRecord } from '../core/run/record.ts';
import { FileDrop } from './file-drop.ts';
import './measure-view.ts';
import './notices.ts';
import type { Notice } from './notices.ts';
import { strings } from './strings.ts';
import { sharedStyles } from './styles.ts';
import './update-prompt.ts';

const viewNames: Record<View, string> = strings.views;
const words = strings.page;

/** A view that is loaded when it is first shown: its module defines its element. */
type LazyView = Exclude<View, 'measure'> | 'embed';

function loadView(view: LazyView): Promise<unknown> {
  switch (view) {
    case 'train':
      return import('./train/train-view.ts');
    case 'compare':
      return import('./compare/compare-view.ts');
    case 'learn':
      return import('./learn/learn-view.ts');
    case 'embed':
      return import('./embed/embed-view.ts');
  }
}

/** Some browsers remember that a module was out of reach: only a page loaded anew gets it then. */
async function serverAnswers(): Promise<boolean> {
  try {
    return (await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** The page: its heading, the way between its views, and the view that the address names. */
@customElement('rooftrace-app')
export class RooftraceApp extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) navigation!: Navigation;
  @property({ attribute: false }) training!: Training;
  @property({ attribute: false }) history!: Promise<RunHistory>;
  @property({ attribute: false }) choices!: ChoiceStore;
  @property({ attribute: false }) offline!: OfflineApp;
  @property({ attribute: false }) images!: KeptImages;
  /** Views whose module could not be loaded. */
  @state() private unloadable: readonly LazyView[] = [];
  private readonly requested = new Set<LazyView>();
  private readonly retried = new Set<LazyView>();
  private unsubscribe: (() => void) | undefined;
  /** For the views that take no files. */
  protected readonly drop = new FileDrop(this);

  static override styles = [
    sharedStyles,
    css`
      :host {
        max-width: 80rem;
        margin: 0 auto;
        padding: 1.25rem clamp(0.75rem, 3vw, 2rem) 2.5rem;
      }
      :host(.embed) {
        max-width: none;
        padding: 0;
      }
      header {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.25rem 1.5rem;
        margin-bottom: 1.25rem;
      }
      h1 {
        display: flex;
        align-items: center;
        gap: 0.625rem;
        margin: 0;
        font-size: 1.375rem;
        font-weight: 650;
        letter-spacing: -0.02em;
      }
      header p {
        color: var(--muted);
      }
      nav {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem;
        margin-left: auto;
      }
      @media (max-width: 40rem) {
        header p {
          font-size: 0.9375rem;
        }
        nav {
          width: 100%;
          margin: 0.25rem -0.5rem 0;
        }
      }
      nav a {
        padding: 0.3125rem 0.75rem;
        border-radius: 6px;
        color: var(--muted);
        text-decoration: none;
      }
      nav a:hover {
        color: var(--ink);
      }
      nav a[aria-current] {
        background: var(--shade);
        color: var(--ink);
        font-weight: 600;
      }
      main {
        display: grid;
        gap: 1rem;
      }
      @media print {
        nav {
          display: none;
        }
      }
      main > * {
        min-width: 0;
      }
    `,
  ];

  /** What was measured so far, or the opened file. */
  get record(): RunRecord | undefined {
    return this.session.store?.record();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.unsubscribe = this.navigation.subscribe(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unsubscribe?.();
  }

  override render(): TemplateResult {
    const { address } = this.navigation;
    if (address.embed) return html`<main>${this.lazyView('embed')}</main>`;
    const notices = this.notices();
    return html`
      <header>
        <h1><img src="./favicon.svg" alt="" width="30" height="30" />Rooftrace</h1>
        <p>${words.motto}</p>
        <nav aria-label=${words.views}>${views.map((view) => this.viewLink(view))}</nav>
      </header>
      <main>
        <rooftrace-update-prompt
          .offline=${this.offline}
          .session=${this.session}
        ></rooftrace-update-prompt>
        <rooftrace-notices .notices=${notices} ?hidden=${notices.length === 0}></rooftrace-notices>
        ${address.view === 'measure' ? this.measureView() : nothing}
        ${
          // What was compared and predicted is still there when the user comes back.
          cache(address.view === 'measure' ? nothing : this.lazyView(address.view))
        }
      </main>
    `;
  }

  override willUpdate(): void {
    const { embed, view } = this.navigation.address;
    this.classList.toggle('embed', embed);
    document.title = view === 'measure' ? words.title : words.titleOf(viewNames[view]);
  }

  private measureView(): TemplateResult {
    return html`<rooftrace-measure-view
      .session=${this.session}
      .navigation=${this.navigation}
      .history=${this.history}
      .choices=${this.choices}
      .images=${this.images}
      .address=${this.navigation.address}
    ></rooftrace-measure-view>`;
  }

  private lazyView(view: LazyView): TemplateResult {
    if (this.unloadable.includes(view)) return this.unloadableView(view);
    this.load(view);
    const { session, navigation } = this;
    const { address } = navigation;
    switch (view) {
      case 'train':
        return html`<rooftrace-train-view
          .training=${this.training}
          .session=${session}
          .images=${this.images}
        ></rooftrace-train-view>`;
      case 'compare':
        return html`<rooftrace-compare-view
          .session=${session}
          .navigation=${navigation}
          .history=${this.history}
          .address=${address}
        ></rooftrace-compare-view>`;
      case 'learn':
        return html`<rooftrace-learn-view
          .session=${session}
          .navigation=${navigation}
          .history=${this.history}
          .address=${address}
        ></rooftrace-learn-view>`;
      case 'embed':
        return html`<rooftrace-embed-view .address=${address}></rooftrace-embed-view>`;
    }
  }

  private load(view: LazyView): void {
    if (this.requested.has(view)) return;
    this.requested.add(view);
    loadView(view).catch(async () => {
      if (this.retried.has(view) && !this.session.busy && (await serverAnswers()))
        location.reload();
      this.unloadable = [...this.unloadable, view];
    });
  }

  private unloadableView(view: LazyView): TemplateResult {
    const retry = (): void => {
      this.retried.add(view);
      this.requested.delete(view);
      this.unloadable = this.unloadable.filter((other) => other !== view);
    };
    return html`<div class="note error" role="alert" data-notice="view">
      <p><strong>${words.unloadable}</strong> ${words.unloadableAdvice}</p>
      <p><button @click=${retry}>${words.again}</button></p>
    </div>`;
  }

  private viewLink(view: View): TemplateResult {
    const { navigation } = this;
    const change = { view, lesson: undefined };
    const current = navigation.address.view === view;
    const onClick = (event: MouseEvent): void => {
      // With a modifier the browser opens a tab or a window.
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      if (!current) navigation.go(change);
    };
    return html`<a
      href=${navigation.href(change)}
      aria-current=${current ? 'page' : nothing}
      @click=${onClick}
      >${viewNames[view]}</a
    >`;
  }

  private notices(): readonly Notice[] {
    const { errors } = this.navigation.address;
    if (errors.length === 0) return [];
    return [
      {
        id: 'address',
        level: 'error',
        title: words.address,
        lines: errors.map(inputErrorText),
      },
    ];
  }
}
