//! Delays, pauses and requests at a time that the processes of a fleet share. The clock of the server counts, and each script is atomic.

use alloc::sync::Arc;
use core::hash::{BuildHasher as _, Hasher as _};
use core::time::Duration;
use std::hash::RandomState;

use ::redis::cmd;

use super::Redis;
use super::server::Server;
use crate::gate::fleet::{Ended, NotYet, SharedRequest, Wanted};
use crate::origin::Origin;
use crate::store::error::StoreError;

/// Begins a request, or returns for how many milliseconds it has to wait, and 1 if the reason is a pause; -1 if it began.
///
/// The hash of an origin has the time of its last request (`last`), its token (`by`), the time of the one before (`before`), for
/// each request that is running its token and until when it counts, how many requests failed in a row (`failures`), when the last
/// one did (`failed`), and until when the origin rests (`until`).
const BEGIN: &str = "
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local delay, age, most, lease = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local all = redis.call('HGETALL', KEYS[1])
local last, rests, running, first, over = 0, 0, 0, now + lease, {}
for i = 1, #all, 2 do
  local name, value = all[i], tonumber(all[i + 1])
  if name == 'last' then
    last = value
  elseif name == 'until' then
    rests = value
  elseif string.sub(name, 1, 2) == 'r:' then
    if value > now then
      running = running + 1
      first = math.min(first, value)
    else
      over[#over + 1] = name
    end
  end
end
if rests > now then return {rests - now, 1} end
-- After the clock of the server was set back, the request counts as one of now.
last = math.min(last, now)
if age >= 0 then last = math.max(last, now - age) end
if last > 0 and last + delay > now then return {last + delay - now, 0} end
if running >= most then return {math.min(first - now, 50), 0} end
if #over > 0 then redis.call('HDEL', KEYS[1], unpack(over)) end
redis.call('HSET', KEYS[1], 'last', now, 'by', ARGV[5], 'before', last, 'r:' .. ARGV[5], now + lease)
redis.call('PEXPIRE', KEYS[1], math.max(delay, lease) + 60000)
return {-1, 0}
";

/// Ends a request that was sent this many milliseconds ago, which may be later than it began here. Pauses the origin, if the answer
/// says so: for as long as it asks, or longer with each failure in a row. Several requests at a time that fail are one failure.
const END: &str = "
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local sent = now - tonumber(ARGV[2])
local function number(name) return tonumber(redis.call('HGET', KEYS[1], name) or '0') end
local failed, asked = number('failed'), tonumber(ARGV[4])
local is_news = sent >= failed or failed > now
redis.call('HDEL', KEYS[1], 'r:' .. ARGV[1])
if sent > number('last') then
  redis.call('HSET', KEYS[1], 'last', sent)
  redis.call('HDEL', KEYS[1], 'by')
end
local pause = math.max(asked, 0)
if ARGV[3] == 'failure' then
  local failures = number('failures')
  if is_news then
    failures = failures + 1
    redis.call('HSET', KEYS[1], 'failures', failures, 'failed', now)
  end
  if asked < 0 then
    pause = math.min(tonumber(ARGV[5]) * 2 ^ math.min(failures - 1, 32), tonumber(ARGV[6]))
  end
elseif ARGV[3] == 'success' and is_news then
  redis.call('HDEL', KEYS[1], 'failures')
end
if pause > 0 then
  redis.call('HSET', KEYS[1], 'until', math.max(number('until'), math.floor(now + pause)))
  redis.call('PEXPIRE', KEYS[1], math.floor(math.max(redis.call('PTTL', KEYS[1]), pause + 60000)))
end
return 0
";

/// Ends a request that was not sent.
const UNDO: &str = "
redis.call('HDEL', KEYS[1], 'r:' .. ARGV[1])
if redis.call('HGET', KEYS[1], 'by') == ARGV[1] then
  redis.call('HSET', KEYS[1], 'last', redis.call('HGET', KEYS[1], 'before'))
end
return 0
";

impl Redis {
    /// Begins a request to an origin, or returns how long to wait before the next attempt.
    pub(crate) async fn begin(
        &self,
        origin: &Origin,
        wanted: Wanted,
    ) -> Result<Result<SharedRequest, NotYet>, StoreError> {
        let key = self.inner.keys.delay(origin);
        let token = format!("{:016x}", RandomState::new().build_hasher().finish());
        let mut command = cmd("EVAL");
        command.arg(BEGIN).arg(1).arg(&key).arg(millis(wanted.delay)).arg(wanted.last.map_or(-1, millis));
        command.arg(wanted.most.max(1)).arg(millis(wanted.lease)).arg(&token);
        let begun = Begun { server: Arc::clone(&self.inner), request: Some(SharedRequest { key, token }) };
        let asked = async move {
            let (wait, is_pause): (i64, i64) = begun.server.run(&command, None).await?;
            if let Ok(wait) = u64::try_from(wait) {
                begun.taken();
                let wait = Duration::from_millis(wait.max(1));
                return Ok(Err(NotYet { wait, is_pause: is_pause == 1 }));
            }
            Ok(Ok(begun))
        };
        let begun = self.run(asked).await?;
        Ok(begun.map(Begun::taken))
    }

    /// Ends a request. If the server is away, the request ends by itself.
    pub(crate) fn end(&self, request: SharedRequest, ended: Ended) {
        self.inner.end(request, ended);
    }
}

impl Server {
    fn end(self: &Arc<Self>, request: SharedRequest, ended: Ended) {
        let mut command = cmd("EVAL");
        let script = if matches!(ended, Ended::NotSent) { UNDO } else { END };
        command.arg(script).arg(1).arg(request.key).arg(request.token);
        if let Ended::Sent(ago, pauses) = ended {
            let kind = match pauses.map(|pauses| pauses.feedback.is_failure) {
                None => "unknown",
                Some(true) => "failure",
                Some(false) => "success",
            };
            let asked = pauses.and_then(|pauses| pauses.feedback.asked);
            let of_policy =
                pauses.map_or((Duration::ZERO, Duration::ZERO), |pauses| (pauses.first, pauses.most));
            command.arg(millis(ago)).arg(kind).arg(asked.map_or(-1, millis));
            command.arg(millis(of_policy.0)).arg(millis(of_policy.1));
        }
        drop(self.spawn(self.order(command)));
    }
}

/// A request that the server has begun, or may have begun if there was no answer. It ends there unless it is taken, because the task
/// that wanted it may be gone.
struct Begun {
    server: Arc<Server>,
    request: Option<SharedRequest>,
}

impl Begun {
    fn taken(mut self) -> SharedRequest {
        self.request.take().expect("only a request that has begun is returned")
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        if let Some(request) = self.request.take() {
            self.server.end(request, Ended::NotSent);
        }
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX).min(1 << 50)
}
