/**
 * What is at the fixed addresses of the page, in words: for servers that answer them, for search
 * engines, and to read without scripts. It runs while the page is built (`build/addresses.ts`) and is no
 * part of it.
 */
import { m } from '$messages';
import { type GameId, GAME_IDS, GAMES } from '$games/index';
import { readable } from '$lib/links/links';
import { allSteps, END, type Lesson } from './learn/lesson';
import type { Sheet } from './rules/sheet';

export interface AddressPage {
  /** What the tab is called. */
  title: string;
  /** What is there, in a sentence. */
  description: string;
  game?: GameId;
  /** HTML to read without scripts. */
  text: string;
  /** Whether it is for its user alone, so that nobody should find it by searching. */
  private?: true;
}

/** By path: `impasse/rules`; the empty one is the first page. */
export type AddressPages = Record<string, AddressPage>;

async function addressPages(): Promise<AddressPages> {
  const pages: AddressPages = {
    '': page([], m.home_lead(), [heading(m.home_heading()), p(m.home_lead()), gameList()]),
    ...Object.fromEntries(
      (
        [
          ['play', m.play_title(), m.home_lead()],
          ['learn', m.learn_title(), m.learn_lead()],
          ['rules', m.rules_title(), m.home_lead()],
          ['puzzles', m.puzzles_title(), m.puzzles_intro()],
          ['analyse', m.analyse_title(), m.analyse_lead()],
          ['review', m.review_title(), m.review_intro()],
          ['online', m.online_title(), m.online_lead()],
          ['archive', m.archive_title(), m.archive_lead()],
          ['report', m.report_choose(), m.report_lead()],
          ['leaderboard', m.leaderboard_title(), m.leaderboard_lead()],
        ] as const
      ).map(([path, title, words]) => [
        path,
        page([title], words, [heading(title), p(words), gameList()]),
      ]),
    ),
    account: { ...page([m.account_title()], m.home_lead()), private: true },
    mail: { ...page([m.mail_title()], m.home_lead()), private: true },
    embed: { ...page([m.embed_title()], m.home_lead()), private: true },
  };
  for (const game of GAME_IDS) Object.assign(pages, await pagesOf(game));
  return pages;
}

async function pagesOf(game: GameId): Promise<AddressPages> {
  const entry = GAMES[game];
  const { name } = entry;
  const [{ sheet }, { lesson }] = await Promise.all([entry.loadSheet(), entry.loadLesson()]);
  const about = (title: string, description: string, text: string[]): AddressPage => ({
    ...page([name, title], description, text),
    game,
  });
  const pages: AddressPages = {
    [`${game}/play`]: about(m.play_title(), entry.aim(), [
      heading(name),
      p(entry.aim()),
      waysOf(game),
    ]),
    [`${game}/puzzles`]: about(m.puzzles_title(), m.puzzles_intro(), [
      heading(`${name}: ${m.puzzles_title()}`),
      p(m.puzzles_intro()),
      waysOf(game),
    ]),
    [`${game}/report`]: about(m.report_title(), m.report_lead(), [
      heading(m.report_of_game({ game: name })),
      p(m.report_lead()),
      waysOf(game),
    ]),
    [`${game}/leaderboard`]: about(m.leaderboard_title(), m.leaderboard_lead(), [
      heading(m.leaderboard_of({ game: name })),
      p(m.leaderboard_lead()),
      waysOf(game),
    ]),
    [`${game}/rules`]: about(m.rules_title(), sheet.idea(), rulesText(game, sheet)),
    [`${game}/learn`]: about(
      m.learn_title(),
      m.home_learn({ game: name }),
      lessonText(game, lesson),
    ),
  };
  for (const step of allSteps(lesson)) {
    pages[`${game}/learn/${step.id}`] = about(step.title(), step.idea(), [
      heading(`${name}: ${step.title()}`),
      p(step.idea()),
      figure({ ...step, caption: step.task }),
      waysOf(game),
    ]);
  }
  pages[`${game}/learn/${END}`] = {
    ...about(m.learn_title(), m.learn_end_title({ game: name }), []),
    private: true,
  };
  return pages;
}

/** As the tab is called by the page itself (`App.svelte`). */
function page(names: string[], description: string, text: string[] = []): AddressPage {
  return {
    title: [...names, m.app_name()].join(' – '),
    description,
    text: text.length === 0 ? '' : `<main>${text.join('')}</main>`,
  };
}

function rulesText(game: GameId, sheet: Sheet): string[] {
  const { name, designer, year } = GAMES[game];
  const entries = sheet.entries.flatMap(({ id, clauses, title, text, diagrams }) => [
    `<h2 id="${escaped(id)}">${escaped(title())} (${escaped(
      clauses.map((number) => m.rules_clause({ number })).join(', '),
    )})</h2>`,
    ...text.map((words) => p(words())),
    ...diagrams.map(figure),
  ]);
  const pairs = (list: (readonly [string, string])[]) =>
    `<dl>${list.map(([term, words]) => `<dt>${marked(term)}</dt><dd>${marked(words)}</dd>`).join('')}</dl>`;
  return [
    heading(m.rules_of_game({ game: name })),
    p(m.by_designer({ designer, year: String(year) })),
    p(sheet.idea()),
    ...entries,
    ...(sheet.rulings.length === 0
      ? []
      : [
          `<h2>${escaped(m.rules_rulings())}</h2>`,
          pairs(sheet.rulings.map(({ id, text }) => [m.rules_ruling({ id }), text()])),
        ]),
    `<h2>${escaped(m.rules_notation())}</h2>`,
    pairs(sheet.notation.map(({ example, meaning }) => [`\`${example}\``, meaning()])),
    `<h2>${escaped(m.rules_hints())}</h2>`,
    `<ul>${sheet.hints.map((hint) => `<li>${marked(hint())}</li>`).join('')}</ul>`,
    waysOf(game),
  ];
}

/** A board with its caption. Servers draw the picture; hosts of plain files leave it out. */
const figure = ({
  game,
  position,
  caption,
}: Pick<Sheet['entries'][number]['diagrams'][number], 'game' | 'position' | 'caption'>) =>
  `<figure><img src="pictures/board/${escaped(game)}.svg?p=${escaped(readable(position))}" alt="" ` +
  `loading="lazy"><figcaption>${marked(caption())}</figcaption></figure>`;

function lessonText(game: GameId, lesson: Lesson): string[] {
  const steps = allSteps(lesson).flatMap((step) => [
    `<h2>${escaped(step.title())}</h2>`,
    p(step.idea()),
    figure({ ...step, caption: step.task }),
    p(step.done()),
  ]);
  return [heading(`${GAMES[game].name}: ${m.learn_title()}`), ...steps, waysOf(game)];
}

/** All games, with their rules and lessons. */
const gameList = () =>
  GAME_IDS.map((game) => `<h2>${GAMES[game].name}</h2>${p(GAMES[game].aim())}${waysOf(game)}`).join(
    '',
  );

const waysOf = (game: GameId) =>
  `<p>${(
    [
      ['rules', m.rules_title()],
      ['learn', m.learn_title()],
    ] as const
  )
    .map(([path, title]) => `<a href="${game}/${path}">${GAMES[game].name}: ${escaped(title)}</a>`)
    .join(' · ')}</p>`;

const heading = (words: string) => `<h1>${escaped(words)}</h1>`;
const p = (words: string) => `<p>${marked(words)}</p>`;

/** A text in which `words between backticks` are notation. */
const marked = (text: string) =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? `<code>${escaped(part)}</code>` : escaped(part)))
    .join('');

export const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

export const pages = await addressPages();
