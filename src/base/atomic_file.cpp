// Temporary file, write, fsync, rename, fsync of the folder. The temporary file is locked while it
// is in use, so that the next save can tell a file left behind by a crash and remove it.
#include "base/atomic_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>

namespace coppice {
namespace {

// Past the system's memory go whole pages that lie on pages: large vectors of 2 MB do.
constexpr std::size_t kPage = 4096, kThroughBytes = std::size_t{1} << 21;
constexpr std::string_view kSuffix = ".tmp";
constexpr int kAttempts = 100;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return path.substr(0, std::max<std::size_t>(slash, 1));
}

// ".model.coppice." before process number and counter; short enough for any file system.
std::string temporary_prefix(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  return "." + name.substr(0, 200) + ".";
}

std::string followed(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real ? std::string(real.get()) : path;
}

bool is_temporary_of(std::string_view name, std::string_view prefix) {
  if (name.size() <= prefix.size() + kSuffix.size()) return false;
  if (!name.starts_with(prefix) || !name.ends_with(kSuffix)) return false;
  name.remove_prefix(prefix.size());
  name.remove_suffix(kSuffix.size());
  return name.find_first_not_of("0123456789.") == std::string_view::npos;
}

// A lock ends with the process that holds it, so an unlocked temporary file has no owner.
// std::filesystem would end the program where memory runs out.
void remove_stale_temporaries(const std::string& folder, const std::string& prefix) {
  const auto close = [](DIR* open) { ::closedir(open); };
  const std::unique_ptr<DIR, decltype(close)> entries(::opendir(folder.c_str()), close);
  if (!entries) return;
  while (const dirent* entry = ::readdir(entries.get())) {
    if (!is_temporary_of(entry->d_name, prefix)) continue;
    const std::string name = folder + "/" + entry->d_name;
    const FileDescriptor file(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (file && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0) ::unlink(name.c_str());
  }
}

// False if another process took the file for a stale one between its creation and the lock.
bool lock_new_file(int file) {
  struct stat status = {};
  if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  return ::fstat(file, &status) == 0 && status.st_nlink > 0;
}

int standard_stream(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  return -1;
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), target_(followed(path_)) {
  if (const int stream = standard_stream(path_); stream >= 0) {
    file_ = FileDescriptor(::fcntl(stream, F_DUPFD_CLOEXEC, 0));
    if (!file_) throw io_error(path_, "cannot be opened", errno);
    return;
  }
  struct stat status = {};
  if (::stat(target_.c_str(), &status) != 0) {
    open_temporary(std::nullopt);
    return;
  }
  if (S_ISREG(status.st_mode)) {
    open_temporary(status.st_mode & 0777);
    return;
  }
  file_ = FileDescriptor(::open(target_.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file_) throw io_error(path_, "cannot be opened for writing", errno);
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::open_temporary(std::optional<mode_t> permissions) {
  static std::atomic<std::uint64_t> counter{0};
  const std::string folder = folder_of(target_), prefix = temporary_prefix(target_);
  remove_stale_temporaries(folder, prefix);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::string name = folder + "/" + prefix + std::to_string(::getpid()) + "." +
                             std::to_string(counter++) + std::string(kSuffix);
    FileDescriptor file(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                               permissions.value_or(0666)));
    if (!file && errno == EEXIST) continue;
    if (!file) throw io_error(path_, "cannot be created", errno);
    if (!lock_new_file(file.number())) continue;
    temporary_ = name;
    file_ = std::move(file);
    // open() took away what umask forbids.
    if (permissions && ::fchmod(file_.number(), *permissions) != 0 && errno != EPERM) {
      const int code = errno;
      ::unlink(std::exchange(temporary_, {}).c_str());
      throw io_error(path_, "cannot take over the permissions of the file it replaces", code);
    }
    return;
  }
  throw io_error(path_, "cannot be created", EEXIST);
}

void AtomicFile::expect_no_reader() {
  if (temporary_.empty() || !write_through(true)) return;
  buffer_bytes_ = kThroughBytes;
  buffer_.reserve(buffer_bytes_);
}

// False where the system or the disk cannot.
bool AtomicFile::write_through([[maybe_unused]] bool on) {
#if defined(O_DIRECT)
  const int flags = ::fcntl(file_.number(), F_GETFL);
  const int wanted = on ? flags | O_DIRECT : flags & ~O_DIRECT;
  if (flags < 0 || ::fcntl(file_.number(), F_SETFL, wanted) != 0) return false;
  through_ = on;
  return true;
#else
  return false;
#endif
}

void AtomicFile::write(std::string_view text) {
  while (buffer_.size() + text.size() > buffer_bytes_) {
    if (!through_ && buffer_.empty()) return write_out(text.data(), text.size());
    const std::size_t fitting = buffer_bytes_ - buffer_.size();
    keep(text.substr(0, fitting));
    text.remove_prefix(fitting);
    flush();
  }
  keep(text);
}

void AtomicFile::keep(std::string_view text) {
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + text.size());
  std::copy(text.begin(), text.end(), buffer_.begin() + static_cast<std::ptrdiff_t>(kept));
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void AtomicFile::flush() {
  const std::size_t pages = through_ ? buffer_.size() / kPage * kPage : 0;
  write_out(buffer_.data(), pages);
  if (through_ && pages < buffer_.size()) write_through(false);
  write_out(buffer_.data() + pages, buffer_.size() - pages);
  buffer_.clear();
}

void AtomicFile::write_out(const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(file_.number(), bytes, size);
    if (written < 0 && errno == EINTR) continue;
    // After a short write, or on a disk with larger pages.
    if (written < 0 && errno == EINVAL && through_ && write_through(false)) continue;
    if (written < 0) throw io_error(path_, "cannot be written", errno);
    if (written == 0) throw io_error(path_, "cannot be written", ENOSPC);
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::commit() {
  flush();
  if (!temporary_.empty()) return rename_into_place();
  if (!file_.close()) throw io_error(path_, "cannot be written", errno);
}

void AtomicFile::rename_into_place() {
  const std::string folder_name = folder_of(target_);  // nothing is allocated after the rename
  if (::fsync(file_.number()) != 0) throw io_error(path_, "cannot be synced to the disk", errno);
  // Closing may report lost bytes while the old file is still in place; the copy keeps the lock.
  const FileDescriptor locked(::fcntl(file_.number(), F_DUPFD_CLOEXEC, 0));
  if (!locked || !file_.close()) throw io_error(path_, "cannot be written", errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    throw io_error(path_, "cannot be replaced", errno);
  }
  temporary_.clear();

  // Where a folder cannot be opened or synced, the rename is as durable as the system makes it.
  const FileDescriptor folder(::open(folder_name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder && ::fsync(folder.number()) != 0 && errno != EINVAL && errno != ENOTSUP) {
    throw io_error(path_, "was written, but its folder cannot be synced to the disk", errno);
  }
}

void write_file_atomically(const std::string& path, std::span<const std::byte> bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace coppice
